import Perennial
import PerennialConnect
import PerennialHTTP

/// Makes, changes and deletes products.
struct ProductEditingChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("products/new", .editCatalog) { try await newPage($0, .new) }
        routes.form("products/new", .editCatalog) { try await create($0) }
        routes.page("products/:product/edit", .editCatalog) { try await editPage($0, .new) }
        routes.form("products/:product/edit", .editCatalog) { try await edit($0) }
        routes.page("products/:product/delete", .editCatalog) { try await deletePage($0, .new) }
        routes.form("products/:product/delete", .editCatalog) { try await delete($0) }
    }

    // MARK: - New

    private func newPage(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let bundleID = try request.bundleID()
        let (app, groups) = try await request.services.catalog.read { reader in
            let app = try reader.found(bundleID)
            let groups = try reader.groupIDs(app: app.appleID).compactMap { try reader.group($0)?.group }
            return (app, groups.map { (id: $0.id, name: $0.referenceName) })
        }
        let trail = [Link(.phrase(Words.products), request.path("products"))]
        guard let type = ProductType(rawValue: state.value("type", request.query["type"] ?? "")) else {
            return Page(.phrase(ProductPhrases.newProduct), .products, trail: trail, types(in: app, request))
        }
        let form = ProductForm(type: type, state: state, language: request.language)
        let same = request.sameInCatalog(
            "products create \(app.bundleID.rawValue).coins --type \(type.catalogWord) --name Coins", call: "products")
        return Page(
            .phrase(ProductPhrases.newProduct), .products, trail: trail,
            [
                .facts([Fact(.phrase(Words.type), Cell(.phrase(type.phrase)), definition: .phrase(type.definition))]),
                .form(
                    state.form(
                        request.path("products/new"), submit: Words.create, same: same,
                        form.fields(in: app, groups: groups))),
            ])
    }

    private func types(in app: App, _ request: PageRequest) -> [Block] {
        let types: [ProductType] = [.consumable, .nonConsumable, .autoRenewable, .nonRenewing, .free]
        return [
            .paragraph(.phrase(ProductPhrases.chooseType)),
            .facts(
                types.filter { $0 != .free || app.isNewsstand }.map { type in
                    Fact(
                        .phrase(type.definition),
                        Cell(.phrase(type.phrase), path: request.path("products/new", ["type": type.rawValue])))
                }),
        ]
    }

    private func create(_ request: FormRequest) async throws -> FormAnswer {
        let (page, bundleID) = (request.page, try request.page.bundleID())
        return try await request.perform(again: newPage) {
            let app = try await page.services.catalog.read { try $0.found(bundleID) }
            let order = try NewProductOrder(request.values, in: app)
            let now = page.now
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                try order.make(in: draft, app: app, now: now)
            }
            return .redirect(
                page.productPath(order.new.id), .phrase(ProductPhrases.created, .data(order.new.referenceName)))
        }
    }

    // MARK: - Edit

    private func editPage(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let found = try await request.foundProduct()
        let form = ProductForm(type: found.product.product.type, state: state, language: request.language)
        return Page(
            .phrase(Words.edit), .products, trail: request.productTrail(found),
            [
                .form(
                    state.form(
                        request.productPath("edit"), submit: Words.save,
                        same: request.same("products edit \(found.id) --name Coins"), form.fields(of: found.product)))
            ])
    }

    private func edit(_ request: FormRequest) async throws -> FormAnswer {
        let values = request.values
        return try await request.perform(again: editPage) {
            let (level, period) = (try values.integer("groupLevel"), try values.period("subscriptionPeriod"))
            try await request.editProduct { product in
                try product.rename(values["name"])
                try product.setReviewNote(values["reviewNote"])
                try product.setTaxCategory(values.optional("taxCategory"))
                if values.isTicked("familySharable") != product.product.isFamilyShareable {
                    try product.setFamilyShareable(values.isTicked("familySharable"))
                }
                guard product.product.type == .autoRenewable else { return }
                if let level { try product.setLevel(level) }
                if let period {
                    try product.setPeriod(period)
                } else if product.product.subscription?.hasPeriod == true {
                    throw Refusal("subscriptionPeriod", RefusalPhrases.choice)
                }
            }
            return .redirect(request.page.productPath(), .phrase(SellerPhrases.saved))
        }
    }

    // MARK: - Delete

    private func deletePage(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let found = try await request.foundProduct()
        return Page(
            .phrase(ProductPhrases.deleteProduct), .products, trail: request.productTrail(found),
            [
                .form(
                    state.form(
                        request.productPath("delete"), submit: Words.delete,
                        warning: .phrase(
                            ProductPhrases.deleteWarning, .data(found.product.product.referenceName)),
                        confirmation: found.id.rawValue, isDangerous: true,
                        same: request.same("products delete \(found.id)", "DELETE"), [found.product.revisionField]))
            ])
    }

    private func delete(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let found = try await page.foundProduct()
        return try await request.perform(again: deletePage, conflict: RefusalPhrases.changedBeforeAction) {
            try request.expectConfirmation(found.id.rawValue)
            let revision = request.values.revision
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                try draft.expect(revision, of: found.product.appleID)
                try draft.deleteProduct(found.product.appleID)
            }
            return .redirect(
                page.path("products"), .phrase(ProductPhrases.deleted, .data(found.product.product.referenceName)))
        }
    }
}
