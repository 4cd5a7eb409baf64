import Perennial
import PerennialConnect
import PerennialHTTP

/// The app's in-app purchases: a list with filters.
struct ProductListChapter: ConsoleChapter {
    private static let pageSize = 50
    /// The most products that one page looks at for its filters.
    private static let scanLimit = 2_000
    private static let scanStep = 200

    func add(to routes: ConsoleRoutes) {
        routes.page("products", .view) { try await page($0) }
    }

    private struct Filters: Sendable {
        var type: ProductType?
        var state: ProductListingState?
        /// The searched text in lower case.
        var search: String

        init(_ query: [String: String]) {
            type = query["type"].flatMap(ProductType.init(rawValue:))
            state = query["state"].flatMap(ProductListingState.init(rawValue:))
            search = (query["search"] ?? "").trimmed.lowercased()
        }

        var isEmpty: Bool { type == nil && state == nil && search.isEmpty }

        func admit(_ product: CatalogProduct) -> Bool {
            (type == nil || product.product.type == type) && (state == nil || product.listingState == state)
                && (search.isEmpty || product.id.rawValue.lowercased().contains(search)
                    || product.product.referenceName.lowercased().contains(search))
        }
    }

    private struct Found: Sendable {
        var app: App
        var products: [CatalogProduct]
        /// The Apple ID to go on after; `nil` on the last page.
        var next: Int64?
        var groups: [String: String]
    }

    private func find(_ request: PageRequest, _ filters: Filters) async throws -> Found {
        let (bundleID, after) = (try request.bundleID(), request.query["after"].flatMap { Int64($0) } ?? 0)
        return try await request.services.catalog.read { reader in
            let app = try reader.found(bundleID)
            let ids = try reader.productIDs(app: app.appleID, renewing: nil)
            var position = ids.firstIndex { $0 > after } ?? ids.count
            let end = min(ids.count, position + Self.scanLimit)
            var found = Found(app: app, products: [], groups: [:])
            scan: while position < end {
                let step = ids[position..<min(end, position + Self.scanStep)]
                for product in try reader.products(step) where filters.admit(product) {
                    found.products.append(product)
                    guard found.products.count == Self.pageSize else { continue }
                    position = (ids.firstIndex(of: product.appleID) ?? position) + 1
                    break scan
                }
                position = step.endIndex
            }
            found.next = position < ids.count && position > 0 ? ids[position - 1] : nil
            for id in Set(found.products.compactMap(\.product.subscription?.groupID)) {
                found.groups[id] = try reader.groupKey(id, app: app.appleID).flatMap { try reader.group($0) }?
                    .group.referenceName
            }
            return found
        }
    }

    private func page(_ request: PageRequest) async throws -> Page {
        let filters = Filters(request.query)
        let found = try await find(request, filters)
        let create = Action.link(
            Link(.phrase(ProductPhrases.newProduct), request.path("products/new")), isProminent: true)
        return Page(
            .phrase(SellerPhrases.inAppPurchases), .products, actions: request.canEdit ? [create] : [],
            [
                .links(links(request)), .filter(filter(filters, request)),
                .table(table(found, filters, request, create)),
            ])
    }

    private func links(_ request: PageRequest) -> [Link] {
        [
            Link(.phrase(GroupPhrases.groups), request.path("groups")),
            Link(.phrase(OfferPhrases.promoted), request.path("promoted")),
            Link(.phrase(ReviewPhrases.reviews), request.path("reviews")),
            Link(.phrase(FilePhrases.files), request.path("catalog")),
            Link(.phrase(ProductPhrases.history), request.path("catalog/history")),
            Link(.phrase(Words.apps), request.path("apps")),
        ]
    }

    private func filter(_ filters: Filters, _ request: PageRequest) -> Filter {
        let all = [(value: "", text: Text.phrase(Words.all))]
        return Filter(
            choices: [
                Filter.Choice(
                    label: .phrase(Words.type), parameter: "type",
                    options: all + ProductType.allCases.map { ($0.rawValue, .phrase($0.phrase)) },
                    selected: filters.type?.rawValue ?? ""),
                Filter.Choice(
                    label: .phrase(Words.status), parameter: "state",
                    options: all + ProductListingState.ofStore.map { ($0.rawValue, .phrase($0.phrase)) },
                    selected: filters.state?.rawValue ?? ""),
            ],
            searches: [
                Filter.Search(
                    label: .phrase(Words.search), parameter: "search", value: request.query["search"] ?? "",
                    placeholder: .phrase(ProductPhrases.searchHint))
            ])
    }

    private func table(_ found: Found, _ filters: Filters, _ request: PageRequest, _ create: Action) -> Table {
        let query: (Int64?) -> String = { after in
            request.path(
                "products",
                [
                    "type": filters.type?.rawValue ?? "", "state": filters.state?.rawValue ?? "",
                    "search": request.query["search"] ?? "", "after": after.map { "\($0)" } ?? "",
                ])
        }
        return Table(
            caption: .phrase(SellerPhrases.inAppPurchases),
            columns: [
                Table.Column(.phrase(ProductPhrases.referenceName), .leading, .primary),
                Table.Column(.phrase(Words.status), .leading, .primary),
                Table.Column(.phrase(ProductPhrases.productID)), Table.Column(.phrase(Words.type)),
                Table.Column(.phrase(ProductPhrases.group), .leading, .wideOnly),
                Table.Column(.phrase(Words.price), .trailing, .primary),
            ],
            rows: found.products.map { row($0, found, request) }, next: found.next.map { query($0) },
            first: request.query["after"] == nil ? nil : query(nil),
            empty: filters.isEmpty && request.query["after"] == nil
                ? EmptyState(
                    text: .phrase(ProductPhrases.noProducts), action: request.canEdit ? create : nil,
                    same: request.sameInCatalog(
                        "products create com.example.coins --type consumable --name Coins --price 0.99",
                        call: "products"))
                : .noneMatch(.phrase(ProductPhrases.noMatch), clearedAt: request.path("products")))
    }

    private func row(_ found: CatalogProduct, _ list: Found, _ request: PageRequest) -> Table.Row {
        let (product, state) = (found.product, found.listingState)
        let path = request.productPath(found.id)
        let price =
            product.isPriced ? product.priceList.inForce(at: request.now).price(in: list.app.defaultStorefront) : nil
        let group = product.subscription.map { list.groups[$0.groupID] ?? $0.groupID }
        return Table.Row([
            Cell(.data(product.referenceName), path: path), Cell(.phrase(state.phrase), status: state.status),
            .id(found.id.rawValue, path: path), Cell(.phrase(product.type.phrase)),
            Cell(group.map { .data($0) } ?? .none), Cell(price.map { .money($0) } ?? .none),
        ])
    }
}

extension ProductListingState {
    /// The states that products of this store have.
    static let ofStore: [ProductListingState] = [
        .missingMetadata, .readyToSubmit, .waitingForReview, .inReview, .rejected, .approved,
        .developerRemovedFromSale, .removedFromSale,
    ]
}
