import Perennial
import PerennialConnect
import PerennialHTTP

/// A product with its app, as the catalog has them.
struct FoundProduct: Sendable {
    var app: App
    var product: CatalogProduct

    var id: Product.ID { product.id }
    /// The prices in force and to come.
    var timeline: PriceTimeline { PriceTimeline(product.product.priceList, default: app.defaultStorefront) }
}

extension PageRequest {
    /// The author of a change that the visitor makes, in the catalog's journal.
    var catalogActor: CatalogActor { visitor.userName.map(CatalogActor.user) ?? .commandLine(visitor.displayName) }

    var canEdit: Bool { allows(.editCatalog) }
    var productID: Product.ID { Product.ID(rawValue: parameter("product")) }

    /// Returns the product that the path names.
    ///
    /// - Throws: ``ConsoleError`` `.appNeeded`, `.notFound`.
    func foundProduct() async throws -> FoundProduct {
        let (id, bundleID) = (productID, try bundleID())
        let found = try await services.catalog.read { reader in
            let app = try reader.found(bundleID)
            return try reader.product(id, app: app.appleID).map { FoundProduct(app: app, product: $0) }
        }
        guard let found else { throw ConsoleError.notFound(.phrase(SellerPhrases.noProduct, .data(id.rawValue))) }
        return found
    }

    /// Returns the path of a page of the product that the path names.
    func productPath(_ page: String = "", _ query: KeyValuePairs<String, String> = [:]) -> String {
        productPath(productID, page, query)
    }

    func productPath(
        _ id: Product.ID, _ page: String = "", _ query: KeyValuePairs<String, String> = [:]
    ) -> String {
        path("products/\(ConsolePath.encoded(id.rawValue))" + (page.isEmpty ? "" : "/\(page)"), query)
    }

    /// The links above the title of a product's page.
    func productTrail(_ found: FoundProduct, isBelow: Bool = true) -> [Link] {
        let list = Link(.phrase(Words.products), path("products"))
        return isBelow ? [list, Link(.data(found.product.product.referenceName), productPath(found.id))] : [list]
    }

    /// Returns the command and the call that change a product.
    ///
    /// - Parameters:
    ///   - command: Without the app: `products edit ID --name X`.
    ///   - call: Below the product's path of the control API: `prices`.
    func same(
        _ command: String, _ method: String = "POST", call: String = "", body: String? = nil,
        of id: Product.ID? = nil
    ) -> SameCommand {
        let product = ConsolePath.encoded((id ?? productID).rawValue)
        return sameInCatalog(
            command, method, call: "products/\(product)" + (call.isEmpty ? "" : "/\(call)"), body: body)
    }

    /// Returns the command and the call that change the app's catalog.
    func sameInCatalog(
        _ command: String, _ method: String = "POST", call: String, body: String? = nil
    ) -> SameCommand {
        let bundleID = app?.bundleID.rawValue ?? ""
        // Prices are in force by an environment's clock. The rest of the catalog is the same in all environments.
        let isTimed = command.hasPrefix("prices ") && environment.id != .sandbox
        let place = isTimed ? " --environment \(environment.name)" : ""
        return SameCommand(
            "\(command) --app \(bundleID)\(place)",
            .init(method, "control/v1/apps/\(bundleID)/catalog/\(call)", body))
    }
}

extension FormRequest {
    /// Changes the product that the path names.
    ///
    /// - Throws: ``ConsoleError`` `.notFound`, ``CatalogEditError`` `.changedMeanwhile` if the form's field `revision` has
    ///   another revision than the product, and the errors of the change.
    func editProduct(
        _ change: @escaping @Sendable (inout CatalogProduct) throws -> Void
    ) async throws {
        let found = try await page.foundProduct()
        let revision = values.revision
        try await page.services.catalog.edit(by: page.catalogActor) { draft in
            try draft.update(found.product.appleID, expecting: revision, change)
        }
    }
}

extension CatalogProduct {
    /// The field of a form that names the revision it was made from.
    var revisionField: Field { .hidden("revision", String(revision)) }

    /// Returns the fields of a button, with the revision it was made from.
    func fields(_ fields: [String: String] = [:]) -> [String: String] {
        fields.merging(["revision": String(revision)]) { $1 }
    }
}

extension SubscriptionGroup {
    /// The field of a form that names the revision it was made from.
    var revisionField: Field { .hidden("revision", String(revision)) }
}

/// A command's argument, in quotes where the shell needs them.
func shellQuoted(_ text: String) -> String {
    let isPlain =
        !text.isEmpty
        && text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-._/:=,@+".utf8.contains(byte)
            }
        }
    return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
}

/// Texts of all pages of the seller.
enum SellerPhrases {
    static let noProduct = Phrase(
        "This app has no product “%1”.", fr: "Cette app n’a pas de produit «\u{202F}%1\u{202F}».",
        pt: "Este app não tem o produto “%1”.", zh: "此 App 沒有產品「%1」。", de: "Diese App hat kein Produkt „%1“.")
    static let inAppPurchases = Phrase(
        "In-App Purchases", fr: "Achats intégrés", pt: "Compras Dentro do App", zh: "App 內購買項目", de: "In-App-Käufe")
    static let back = Phrase("Back", fr: "Retour", pt: "Voltar", zh: "返回", de: "Zurück")
    static let saved = Phrase("Saved.", fr: "Enregistré.", pt: "Salvo.", zh: "已儲存。", de: "Gesichert.")
    static let next = Phrase("Next", fr: "Suivant", pt: "Próximo", zh: "下一步", de: "Weiter")
    static let none = Phrase("None", fr: "Aucun", pt: "Nenhum", zh: "無", de: "Keine")
    static let optional = Phrase("Optional", fr: "Facultatif", pt: "Opcional", zh: "選填", de: "Optional")
    static let show = Phrase("Show", fr: "Afficher", pt: "Mostrar", zh: "顯示", de: "Zeigen")
    static let remove = Phrase("Remove", fr: "Retirer", pt: "Remover", zh: "移除", de: "Entfernen")
    static let add = Phrase("Add", fr: "Ajouter", pt: "Adicionar", zh: "加入", de: "Hinzufügen")
    static let removed = Phrase("Removed.", fr: "Retiré.", pt: "Removido.", zh: "已移除。", de: "Entfernt.")
    static let upload = Phrase("Upload", fr: "Téléverser", pt: "Enviar", zh: "上傳", de: "Hochladen")
    static let uploaded = Phrase("Uploaded.", fr: "Téléversé.", pt: "Enviado.", zh: "已上傳。", de: "Hochgeladen.")
    static let file = Phrase("File", fr: "Fichier", pt: "Arquivo", zh: "檔案", de: "Datei")
    static let version = Phrase("Version", fr: "Version", pt: "Versão", zh: "版本", de: "Version")
    static let language = Phrase("Language", fr: "Langue", pt: "Idioma", zh: "語言", de: "Sprache")
    static let id = Phrase("ID", fr: "Identifiant", pt: "ID", zh: "ID", de: "ID")
}
