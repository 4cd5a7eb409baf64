import Perennial
import PerennialConnect
import PerennialHTTP

/// A subscription group with its products, by level.
struct ListedGroup: Sendable {
    var app: App
    var key: String
    var group: SubscriptionGroup
    /// The highest level first.
    var products: [CatalogProduct]

    /// A text such as `yearly:1,monthly:2`, by which a form says what it was made from.
    var levels: String {
        products.map { "\($0.id):\($0.product.subscription?.level ?? 0)" }.joined(separator: ",")
    }

    /// - Throws: ``StoreError`` `.appNotFound`, ``CatalogEditError`` `.notFound`.
    init(_ name: String, of bundleID: App.BundleID, _ reader: CatalogReader) throws {
        let found = try reader.found(group: name, of: bundleID)
        (app, key, group) = (try reader.found(bundleID), found.key, found.group)
        products = try reader.products(try reader.productIDs(group: found.key)).sorted {
            ($0.product.subscription?.level ?? 0, $0.id) < ($1.product.subscription?.level ?? 0, $1.id)
        }
    }
}

extension PageRequest {
    /// Returns the group that the path names.
    ///
    /// - Throws: ``ConsoleError`` `.appNeeded`, `.notFound`.
    func foundGroup() async throws -> ListedGroup {
        let (name, bundleID) = (parameter("group"), try bundleID())
        do {
            return try await services.catalog.read { try ListedGroup(name, of: bundleID, $0) }
        } catch let error as CatalogEditError where error.code == .notFound {
            throw ConsoleError.notFound(.phrase(GroupPhrases.noGroup, .data(name)))
        }
    }

    func groupPath(_ group: SubscriptionGroup, _ page: String = "", _ query: KeyValuePairs<String, String> = [:])
        -> String
    {
        path("groups/\(ConsolePath.encoded(group.id))" + (page.isEmpty ? "" : "/\(page)"), query)
    }

    func groupTrail(_ group: SubscriptionGroup? = nil) -> [Link] {
        let lists = [
            Link(.phrase(Words.products), path("products")), Link(.phrase(GroupPhrases.groups), path("groups")),
        ]
        return lists + (group.map { [Link(.data($0.referenceName), groupPath($0))] } ?? [])
    }
}

/// The app's subscription groups.
struct GroupChapter: ConsoleChapter {
    private static let pageSize = 50

    func add(to routes: ConsoleRoutes) {
        routes.page("groups", .view) { try await list($0, .new) }
        routes.form("groups", .editCatalog) { try await create($0) }
        routes.page("groups/:group", .view) { try await Self.page($0, .new) }
        routes.form("groups/:group/levels", .editCatalog) { try await order($0) }
    }

    private func list(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let (bundleID, after) = (try request.bundleID(), request.query["after"] ?? "")
        let (groups, hasMore) = try await request.services.catalog.read { reader in
            let keys = try reader.groupKeys(
                app: try reader.found(bundleID).appleID, after: after, limit: Self.pageSize + 1)
            let groups = try keys.prefix(Self.pageSize).compactMap { key in
                // The products are counted only: decoding those of all groups takes time.
                let count = try reader.productIDs(group: key).count
                return try reader.group(key).map { (group: $0.group, productCount: count) }
            }
            return (groups, keys.count > Self.pageSize)
        }
        let rows = groups.map { group, productCount in
            Table.Row([
                Cell(.data(group.referenceName), path: request.groupPath(group)),
                .id(group.id), Cell(.number(productCount)), Cell(.phrase(group.currentVersion.state.phrase)),
            ])
        }
        let next = hasMore ? groups.last.map { request.path("groups", ["after": $0.group.id]) } : nil
        let create = state.form(
            request.path("groups"), submit: Words.create,
            same: request.sameInCatalog("groups create Club", call: "groups", body: #"{"name":"Club"}"#),
            [
                state.field(
                    "referenceName", GroupPhrases.newGroup, isRequired: true,
                    maximumLength: ListingLimits.referenceName.upperBound)
            ])
        return Page(
            .phrase(GroupPhrases.groups), .products, trail: [Link(.phrase(Words.products), request.path("products"))],
            [
                .table(
                    Table(
                        caption: .phrase(GroupPhrases.groups),
                        columns: [
                            Table.Column(.phrase(ProductPhrases.referenceName), .leading, .primary),
                            Table.Column(.phrase(SellerPhrases.id)),
                            Table.Column(.phrase(Words.subscriptions), .trailing, .primary),
                            Table.Column(.phrase(Words.status)),
                        ], rows: rows, next: next, first: after.isEmpty ? nil : request.path("groups"),
                        empty: EmptyState(text: .phrase(GroupPhrases.noGroups))))
            ] + (request.canEdit ? [.form(create)] : []))
    }

    private func create(_ request: FormRequest) async throws -> FormAnswer {
        let (page, name) = (request.page, request.values["referenceName"])
        let bundleID = try page.bundleID()
        return try await request.perform(again: list) {
            let group = try await page.services.catalog.edit(by: page.catalogActor) { draft in
                let key = try draft.createGroup(name, app: try draft.found(bundleID).appleID)
                return try draft.found(group: key, of: bundleID).group
            }
            return .redirect(page.groupPath(group), .phrase(ProductPhrases.created, .data(name)))
        }
    }

    /// The page of a group.
    static func page(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let listed = try await request.foundGroup()
        let (group, version) = (listed.group, listed.group.currentVersion)
        let changes = try await request.services.catalog.read {
            try $0.latestChanges(of: .group, listed.key, app: listed.app.appleID, limit: 5)
        }
        var actions: [Action] = []
        if request.canEdit {
            actions = [
                .link(Link(.phrase(Words.edit), request.groupPath(group, "edit"))),
                .post(
                    .phrase(ReviewPhrases.submit), path: request.groupPath(group, "submit"),
                    fields: ["revision": "\(group.revision)"],
                    same: request.sameInCatalog(
                        "groups submit \(shellQuoted(group.id))", call: "groups/\(ConsolePath.encoded(group.id))/submit"
                    )),
            ]
            if listed.products.isEmpty {
                actions.append(.link(Link(.phrase(Words.delete), request.groupPath(group, "delete"))))
            }
        }
        return Page(
            .data(group.referenceName), .products, trail: request.groupTrail(), actions: actions, status: state.status,
            (state.refusal.map { [Block.notice(Notice(status: .bad, text: $0.text))] } ?? []) + [
                .facts([
                    Fact(.phrase(SellerPhrases.id), .id(group.id)),
                    Fact(.phrase(Words.status), Cell(.phrase(version.state.phrase))),
                ]),
                .section(.phrase(GroupPhrases.levels), id: "levels", levels(listed, request)),
                GroupEditingChapter.texts(listed, request),
                .section(.phrase(ProductPhrases.history), id: "history", ChangeTimeline.blocks(changes)),
            ])
    }

    private static func levels(_ listed: ListedGroup, _ request: PageRequest) -> [Block] {
        guard !listed.products.isEmpty else {
            return [.empty(EmptyState(text: .phrase(GroupPhrases.noSubscriptions)))]
        }
        let items = listed.products.map { found in
            OrderedList.Item(
                id: found.id.rawValue, text: .data(found.product.referenceName),
                path: request.productPath(found.id),
                note: .phrase(GroupPhrases.level, .number(found.product.subscription?.level ?? 0)))
        }
        guard request.canEdit else {
            return [.links(items.map { Link($0.text, $0.path ?? "") })]
        }
        return [
            .paragraph(.phrase(GroupPhrases.levelsMeaning)),
            .order(
                OrderedList(
                    label: .phrase(GroupPhrases.levels), path: request.groupPath(listed.group, "levels"), items: items,
                    fields: ["known": listed.levels])),
            .same(request.same("products edit \(listed.products[0].id) --level 1", of: listed.products[0].id)),
        ]
    }

    /// Gives the products levels from 1 in their new order. Neighbours of one level keep one level.
    private func order(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let listed = try await page.foundGroup()
        let known = request.values.optional("known")
        let order = request.values["order"].split(separator: ",").map { String($0).trimmed }
        let (name, bundleID) = (page.parameter("group"), try page.bundleID())
        return try await request.perform(again: Self.page, conflict: RefusalPhrases.changedBeforeAction) {
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                let current = try ListedGroup(name, of: bundleID, draft)
                let levels = Dictionary(
                    current.products.map { ($0.id.rawValue, ($0.appleID, $0.product.subscription?.level)) }
                ) { first, _ in first }
                guard order.count == levels.count, Set(order) == Set(levels.keys),
                    known ?? current.levels == current.levels
                else { throw Refusal.conflict }
                var (level, last): (Int64, Int?) = (0, nil)
                for (number, before) in order.compactMap({ levels[$0] }) {
                    if last == nil || before != last { level += 1 }
                    last = before
                    let new = level
                    try draft.update(number) { try $0.setLevel(new) }
                }
            }
            return .redirect(page.groupPath(listed.group), .phrase(SellerPhrases.saved))
        }
    }
}
