import Perennial
import PerennialConnect

/// Changes, submits and deletes subscription groups.
struct GroupEditingChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("groups/:group/edit", .editCatalog) { try await editPage($0, .new) }
        routes.form("groups/:group/edit", .editCatalog) { try await rename($0) }
        routes.page("groups/:group/localizations", .editCatalog) { try await textPage($0, .new) }
        routes.form("groups/:group/localizations", .editCatalog) { try await setText($0) }
        routes.form("groups/:group/localizations/delete", .editCatalog) { try await deleteText($0) }
        routes.form("groups/:group/submit", .editCatalog) { try await submit($0) }
        routes.page("groups/:group/delete", .editCatalog) { try await deletePage($0, .new) }
        routes.form("groups/:group/delete", .editCatalog) { try await delete($0) }
    }

    /// The group's names by language.
    static func texts(_ listed: ListedGroup, _ request: PageRequest) -> Block {
        let group = listed.group
        let rows = group.currentVersion.localizations.map { text in
            let edit = request.groupPath(group, "localizations", ["locale": text.locale])
            return Table.Row(
                [
                    Cell(.data(text.name), path: request.canEdit ? edit : nil), Cell(.data(text.locale)),
                    Cell(.data(text.customAppName ?? "")),
                ],
                actions: request.canEdit
                    ? [
                        .post(
                            .phrase(Words.delete), path: request.groupPath(group, "localizations/delete"),
                            fields: ["localization": text.id, "revision": "\(group.revision)"], isDangerous: true,
                            same: request.sameInCatalog(
                                "groups edit \(shellQuoted(group.id)) --remove-locale \(text.locale)",
                                call: "groups/\(ConsolePath.encoded(group.id))",
                                body: #"{"removedLocales":["\#(text.locale)"]}"#))
                    ] : [])
        }
        let add = Action.link(Link(.phrase(SellerPhrases.add), request.groupPath(group, "localizations")))
        return .section(
            .phrase(ProductPhrases.localizations), id: "localizations", actions: request.canEdit ? [add] : [],
            [
                .table(
                    Table(
                        caption: .phrase(ProductPhrases.localizations),
                        columns: [
                            Table.Column(.phrase(ProductPhrases.displayName), .leading, .primary),
                            Table.Column(.phrase(SellerPhrases.language), .leading, .primary),
                            Table.Column(.phrase(GroupPhrases.appName)),
                        ], rows: rows, empty: EmptyState(text: .phrase(ProductPhrases.noLocalizations))))
            ])
    }

    // MARK: - Name

    private func editPage(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let group = try await request.foundGroup().group
        return Page(
            .phrase(Words.edit), .products, trail: request.groupTrail(group),
            [
                .form(
                    state.form(
                        request.groupPath(group, "edit"), submit: Words.save,
                        same: request.sameInCatalog(
                            "groups edit \(shellQuoted(group.id)) --name Circle",
                            call: "groups/\(ConsolePath.encoded(group.id))", body: #"{"name":"Circle"}"#),
                        [
                            group.revisionField,
                            state.field(
                                "referenceName", ProductPhrases.referenceName, .text, group.referenceName,
                                isRequired: true, maximumLength: ListingLimits.referenceName.upperBound),
                        ]))
            ])
    }

    private func rename(_ request: FormRequest) async throws -> FormAnswer {
        let (page, name) = (request.page, request.values["referenceName"])
        let listed = try await page.foundGroup()
        return try await request.perform(again: editPage) {
            let revision = request.values.revision
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                try draft.expect(revision, ofGroup: listed.key)
                try draft.renameGroup(listed.key, name)
            }
            return .redirect(page.groupPath(listed.group), .phrase(SellerPhrases.saved))
        }
    }

    // MARK: - Texts

    private func textPage(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let group = try await request.foundGroup().group
        let texts = group.currentVersion.localizations
        let known = texts.first { $0.locale == state.value("known", request.query["locale"] ?? "") }
        let used = Set(texts.map { AppStoreLocale.connect($0.locale) })
        let free = AppStoreLocale.all.filter { !used.contains($0) }
        let locale =
            known.map { Field.hidden("known", $0.locale) }
            ?? state.field("locale", SellerPhrases.language, .locales(request.language, free))
        return Page(
            known.map { .data(LocalizedNames.locale($0.locale, in: request.language)) }
                ?? .phrase(ProductPhrases.localization), .products, trail: request.groupTrail(group),
            [
                .form(
                    state.form(
                        request.groupPath(group, "localizations"), submit: Words.save,
                        same: request.sameInCatalog(
                            "groups edit \(shellQuoted(group.id)) --display-name \(known?.locale ?? "de-DE")=Text",
                            call: "groups/\(ConsolePath.encoded(group.id))",
                            body: #"{"localizations":[{"locale":"\#(known?.locale ?? "de-DE")","name":"Text"}]}"#),
                        [
                            group.revisionField, locale,
                            state.field(
                                "name", ProductPhrases.displayName, .text, known?.name ?? "",
                                hint: .phrase(ProductPhrases.customersSee), isRequired: true,
                                maximumLength: ListingLimits.groupDisplayName.upperBound),
                            state.field(
                                "customAppName", GroupPhrases.appName, .text, known?.customAppName ?? "",
                                hint: .phrase(SellerPhrases.optional),
                                maximumLength: ListingLimits.customAppName.upperBound),
                        ]))
            ])
    }

    private func setText(_ request: FormRequest) async throws -> FormAnswer {
        let (page, values) = (request.page, request.values)
        let listed = try await page.foundGroup()
        return try await request.perform(again: textPage) {
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                try draft.update(group: listed.key, expecting: values.revision) { try Self.set(values, in: &$0) }
            }
            return .redirect(page.groupPath(listed.group), .phrase(SellerPhrases.saved))
        }
    }

    private static func set(_ values: FormValues, in group: inout SubscriptionGroup) throws {
        let (name, appName) = (values["name"], values.optional("customAppName"))
        let texts = group.currentVersion.localizations
        if let text = texts.first(where: { $0.locale == values["known"] }) {
            try group.updateLocalization(text.id, .first) { ($0.name, $0.customAppName) = (name, appName) }
        } else {
            let locale = values.optional("known") ?? values["locale"]
            _ = try group.addLocalization(locale: locale) {
                GroupLocalization(id: $0, locale: locale, name: name, customAppName: appName)
            }
        }
    }

    private func deleteText(_ request: FormRequest) async throws -> FormAnswer {
        let (page, values) = (request.page, request.values)
        let listed = try await page.foundGroup()
        return try await request.perform(on: { try await GroupChapter.page($0, .new) }) {
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                try draft.update(group: listed.key, expecting: values.revision) {
                    try $0.deleteLocalization(values["localization"], .first)
                }
            }
            return .redirect(page.groupPath(listed.group), .phrase(SellerPhrases.removed))
        }
    }

    // MARK: - Review and deletion

    private func submit(_ request: FormRequest) async throws -> FormAnswer {
        let (page, revision) = (request.page, request.values.revision)
        let listed = try await page.foundGroup()
        return try await request.perform(on: { try await GroupChapter.page($0, .new) }) {
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                try draft.expect(revision, ofGroup: listed.key)
                _ = try draft.submitForReview(.group(listed.key, version: listed.group.currentVersion.id))
            }
            return .redirect(page.groupPath(listed.group), .phrase(ReviewPhrases.submitted))
        }
    }

    private func deletePage(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let group = try await request.foundGroup().group
        return Page(
            .phrase(GroupPhrases.deleteGroup), .products, trail: request.groupTrail(group),
            [
                .form(
                    state.form(
                        request.groupPath(group, "delete"), submit: Words.delete,
                        warning: .phrase(GroupPhrases.deleteWarning, .data(group.referenceName)),
                        confirmation: group.referenceName, isDangerous: true,
                        same: request.sameInCatalog(
                            "groups delete \(shellQuoted(group.id))", "DELETE",
                            call: "groups/\(ConsolePath.encoded(group.id))"), [group.revisionField]))
            ])
    }

    private func delete(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let listed = try await page.foundGroup()
        return try await request.perform(again: deletePage, conflict: RefusalPhrases.changedBeforeAction) {
            try request.expectConfirmation(listed.group.referenceName)
            let revision = request.values.revision
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                try draft.expect(revision, ofGroup: listed.key)
                try draft.deleteGroup(listed.key)
            }
            return .redirect(
                page.path("groups"), .phrase(ProductPhrases.deleted, .data(listed.group.referenceName)))
        }
    }
}

/// Texts about subscription groups.
enum GroupPhrases {
    static let groups = Phrase(
        "Subscription Groups", fr: "Groupes d’abonnements", pt: "Grupos de assinaturas", zh: "訂閱項目群組", de: "Abogruppen")
    static let newGroup = Phrase(
        "New Subscription Group", fr: "Nouveau groupe d’abonnements", pt: "Novo grupo de assinaturas", zh: "新的訂閱項目群組",
        de: "Neue Abogruppe")
    static let noGroup = Phrase(
        "This app has no subscription group “%1”.",
        fr: "Cette app n’a pas de groupe d’abonnements «\u{202F}%1\u{202F}».",
        pt: "Este app não tem o grupo de assinaturas “%1”.", zh: "此 App 沒有訂閱項目群組「%1」。",
        de: "Diese App hat keine Abogruppe „%1“.")
    static let noGroups = Phrase(
        "No subscription groups yet. An auto-renewable subscription needs one.",
        fr: "Aucun groupe d’abonnements. Un abonnement à renouvellement automatique en a besoin.",
        pt: "Ainda não há grupos. Uma assinatura com renovação automática precisa de um.",
        zh: "尚無訂閱項目群組，自動續訂型訂閱項目必須屬於群組。",
        de: "Noch keine Abogruppen. Ein automatisch verlängertes Abonnement braucht eine.")
    static let noSubscriptions = Phrase(
        "No subscriptions in this group yet.", fr: "Aucun abonnement dans ce groupe.",
        pt: "Ainda não há assinaturas neste grupo.",
        zh: "此群組尚無訂閱項目。", de: "Noch keine Abonnements in dieser Gruppe.")
    static let levels = Phrase("Levels", fr: "Niveaux", pt: "Níveis", zh: "等級", de: "Stufen")
    static let level = Phrase("Level %1", fr: "Niveau %1", pt: "Nível %1", zh: "等級 %1", de: "Stufe %1")
    static let levelsMeaning = Phrase(
        "The highest service first. A change to a higher level is an upgrade, which applies at once; to a lower one a downgrade, which applies at the next renewal.",
        fr:
            "Le service le plus élevé d’abord. Passer à un niveau supérieur est une mise à niveau, immédiate\u{202F}; à un niveau inférieur, un passage à une offre inférieure, effectif au prochain renouvellement.",
        pt:
            "O serviço mais alto primeiro. Mudar para um nível maior é um upgrade, imediato; para um menor, um downgrade, na próxima renovação.",
        zh: "最高等級的服務排在最前。改為較高等級為升級，立即生效；改為較低等級為降級，於下次續訂時生效。",
        de:
            "Der höchste Dienst zuerst. Ein Wechsel nach oben ist ein Upgrade und gilt sofort; nach unten ein Downgrade, das ab der nächsten Verlängerung gilt."
    )
    static let appName = Phrase(
        "App Name", fr: "Nom de l’app", pt: "Nome do app", zh: "App 名稱", de: "App-Name")
    static let deleteGroup = Phrase(
        "Delete Subscription Group", fr: "Supprimer le groupe d’abonnements", pt: "Excluir grupo de assinaturas",
        zh: "刪除訂閱項目群組", de: "Abogruppe löschen")
    static let deleteWarning = Phrase(
        "The group %1 and its localizations are deleted.", fr: "Le groupe %1 et ses localisations seront supprimés.",
        pt: "O grupo %1 e suas localizações serão excluídos.", zh: "將刪除群組 %1 及其當地語系版本。",
        de: "Die Gruppe %1 und ihre Lokalisierungen werden gelöscht.")
}
