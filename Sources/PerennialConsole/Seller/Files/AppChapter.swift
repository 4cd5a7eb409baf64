import Perennial
import PerennialConnect

/// The store's apps.
struct AppChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("apps", .view) { await page($0, .new) }
        routes.form("apps", .administer) { try await create($0) }
    }

    private func page(_ request: PageRequest, _ state: FormState) async -> Page {
        let rows = request.apps.map { app in
            let path = ConsolePath.page(
                "products", environment: request.environment.name, app: app.bundleID.rawValue)
            return Table.Row([
                Cell(.data(app.name), path: path), .id(app.bundleID.rawValue, path: path), .id("\(app.appleID)"),
            ])
        }
        let list = Table(
            caption: .phrase(Words.apps),
            columns: [
                Table.Column(.phrase(Words.name), .leading, .primary),
                Table.Column(.phrase(AppPhrases.bundleID), .leading, .primary),
                Table.Column(.phrase(ProductPhrases.appleID)),
            ], rows: rows, empty: EmptyState(text: .phrase(AppPhrases.none)))
        guard request.allows(.administer) else { return Page(.phrase(Words.apps), .products, [.table(list)]) }
        let form = state.form(
            request.path("apps"), submit: Words.create,
            same: SameCommand(
                "catalog import app.yaml", .init("POST", "control/v1/catalog/import", isGlobal: true)),
            [
                state.field("name", Words.name, isRequired: true),
                state.field(
                    "bundleId", AppPhrases.bundleID, hint: .phrase(AppPhrases.bundleIDHint), isRequired: true,
                    maximumLength: ProductValidation.maximumIdentifierLength),
                state.field(
                    "storefront", AppPhrases.storefront, .storefronts(request.language), Storefront.usa.rawValue),
                state.box("newsstand", AppPhrases.newsstand, hint: .phrase(AppPhrases.newsstandHint)),
            ])
        return Page(
            .phrase(Words.apps), .products,
            [.table(list), .section(.phrase(AppPhrases.newApp), id: "new", [.form(form)])])
    }

    private func create(_ request: FormRequest) async throws -> FormAnswer {
        let (page, values) = (request.page, request.values)
        return try await request.perform(again: self.page) {
            let bundleID = App.BundleID(rawValue: values["bundleId"])
            guard try await !page.services.catalog.read({ try $0.apps().contains { $0.bundleID == bundleID } }) else {
                throw Refusal("bundleId", RefusalPhrases.usedAlready)
            }
            let catalog = try Catalog(
                newApp: bundleID, name: values["name"], isNewsstand: values.isTicked("newsstand"),
                defaultStorefront: try values.storefront("storefront") ?? .usa)
            let importer = CatalogImporter(
                editor: page.services.catalog, randomBytes: page.services.randomBytes)
            _ = try await importer.import(catalog, by: page.catalogActor)
            return .redirect(
                ConsolePath.page("products", environment: page.environment.name, app: bundleID.rawValue),
                .phrase(ProductPhrases.created, .data(values["name"])))
        }
    }
}

/// Texts about apps.
private enum AppPhrases {
    static let none = Phrase(
        "This store has no apps yet.", fr: "Ce store n’a pas encore d’app.", pt: "Esta loja ainda não tem apps.",
        zh: "此商店尚無 App。",
        de: "Dieser Store hat noch keine Apps.")
    static let newApp = Phrase("New App", fr: "Nouvelle app", pt: "Novo app", zh: "新的 App", de: "Neue App")
    static let bundleID = Phrase(
        "Bundle ID", fr: "Identifiant de lot", pt: "ID do pacote", zh: "套件 ID", de: "Bundle-ID")
    static let bundleIDHint = Phrase(
        "Such as com.example.magazine. It can’t be changed.", fr: "Par exemple com.example.magazine. Il est définitif.",
        pt: "Por exemplo com.example.magazine. Não pode ser alterado.", zh: "例如 com.example.magazine，之後無法更改。",
        de: "Etwa com.example.magazine. Sie ist endgültig.")
    static let storefront = Phrase(
        "Base Storefront", fr: "Boutique de base", pt: "Loja base", zh: "基準店面", de: "Basis-Store")
    static let newsstand = Phrase(
        "Newsstand app", fr: "App de Kiosque", pt: "App da Banca", zh: "書報攤 App", de: "Zeitungskiosk-App")
    static let newsstandHint = Phrase(
        "Such apps can have free subscriptions.", fr: "Ces apps peuvent avoir des abonnements gratuits.",
        pt: "Esses apps podem ter assinaturas gratuitas.", zh: "這類 App 可提供免費訂閱項目。",
        de: "Solche Apps können kostenlose Abonnements haben.")
}
