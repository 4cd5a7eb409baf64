import Perennial
import PerennialConnect

/// The report of an import on a page: changes, refusals and what stays alone.
enum ImportReport {
    /// - Parameter limit: The most differences that are shown.
    static func blocks(_ app: CatalogImportReport.App, limit: Int) -> [Block] {
        var blocks: [Block] = []
        if app.isNew { blocks.append(.notice(Notice(status: .neutral, text: .phrase(FilePhrases.newApp)))) }
        if !app.changes.isEmpty {
            blocks.append(.table(DifferenceTable.make(FilePhrases.changes, Array(app.changes.prefix(limit)))))
        }
        if !app.conflicts.isEmpty {
            blocks.append(.notice(Notice(status: .warning, text: .phrase(FilePhrases.conflicts))))
            blocks.append(.table(conflicts(Array(app.conflicts.prefix(limit)))))
        }
        if !app.contradictions.isEmpty {
            blocks.append(.notice(Notice(status: .bad, text: .phrase(FilePhrases.contradictions))))
            blocks.append(.table(contradictions(Array(app.contradictions.prefix(limit)))))
        }
        if !app.onlyInStore.isEmpty {
            let names = app.onlyInStore.prefix(limit).map { Text.data($0) }
            blocks.append(.details(.phrase(FilePhrases.onlyInStore), [.paragraph(.list(names))]))
        }
        return blocks.isEmpty ? [] : [.section(.data(app.bundleID.rawValue), id: app.bundleID.rawValue, blocks)]
    }

    private static func conflicts(_ conflicts: [CatalogConflict]) -> Table {
        Table(
            caption: .phrase(FilePhrases.conflicts),
            columns: DifferenceTable.columns + [
                Table.Column(.phrase(FilePhrases.inStore)), Table.Column(.phrase(FilePhrases.inFile)),
                Table.Column(.phrase(FilePhrases.lastImport), .leading, .wideOnly),
            ],
            rows: conflicts.map {
                Table.Row([
                    Cell(.data($0.subject.id)), Cell(.data($0.field), isFixedWidth: true), Cell(.data($0.store ?? "")),
                    Cell(.data($0.file ?? "")), Cell(.data($0.base ?? "")),
                ])
            })
    }

    private static func contradictions(_ contradictions: [CatalogContradiction]) -> Table {
        Table(
            caption: .phrase(FilePhrases.contradictions),
            columns: DifferenceTable.columns + [
                Table.Column(.phrase(FilePhrases.inStore)), Table.Column(.phrase(FilePhrases.inFile)),
            ],
            rows: contradictions.map {
                Table.Row([
                    Cell(.data($0.product)), Cell(.data($0.field), isFixedWidth: true), Cell(.data($0.store ?? "")),
                    Cell(.data($0.file ?? "")),
                ])
            })
    }
}

/// A table of fields with two values.
enum DifferenceTable {
    static let columns = [
        Table.Column(.phrase(FilePhrases.resource), .leading, .primary),
        Table.Column(.phrase(FilePhrases.field), .leading, .primary),
    ]

    static func make(_ caption: Phrase, _ differences: [CatalogDifference]) -> Table {
        Table(
            caption: .phrase(caption),
            columns: columns + [
                Table.Column(.phrase(FilePhrases.before)), Table.Column(.phrase(FilePhrases.after)),
            ],
            rows: differences.map {
                Table.Row([
                    Cell(.data($0.subject.id)), Cell(.data($0.field), isFixedWidth: true), Cell(.data($0.before ?? "")),
                    Cell(.data($0.after ?? "")),
                ])
            })
    }
}

/// Texts about the catalog's files.
enum FilePhrases {
    static let files = Phrase(
        "Catalog Files", fr: "Fichiers du catalogue", pt: "Arquivos do catálogo", zh: "目錄檔案", de: "Katalogdateien")
    static let export = Phrase("Export", fr: "Exporter", pt: "Exportar", zh: "輸出", de: "Exportieren")
    static let yaml = Phrase("YAML File", fr: "Fichier YAML", pt: "Arquivo YAML", zh: "YAML 檔案", de: "YAML-Datei")
    static let storeKit = Phrase(
        "StoreKit File", fr: "Fichier StoreKit", pt: "Arquivo StoreKit", zh: "StoreKit 檔案", de: "StoreKit-Datei")
    static let exportMeaning = Phrase(
        "YAML says everything; importing it again changes nothing. A StoreKit file has the products for Xcode.",
        fr:
            "Le YAML contient tout\u{202F}; le réimporter ne change rien. Un fichier StoreKit contient les produits pour Xcode.",
        pt: "O YAML contém tudo; importá-lo de novo não muda nada. Um arquivo StoreKit tem os produtos para o Xcode.",
        zh: "YAML 包含全部內容，重新輸入不會造成任何更動。StoreKit 檔案則包含供 Xcode 使用的產品。",
        de: "YAML enthält alles; ein erneuter Import ändert nichts. Eine StoreKit-Datei hat die Produkte für Xcode.")
    static let compare = Phrase(
        "Compare and Import", fr: "Comparer et importer", pt: "Comparar e importar", zh: "比較與輸入",
        de: "Vergleichen und importieren")
    static let compareHint = Phrase(
        "A .storekit file or YAML. The next page shows what it would change; nothing is changed yet.",
        fr:
            "Un fichier .storekit ou du YAML. La page suivante montre ce qu’il modifierait\u{202F}; rien n’est encore modifié.",
        pt: "Um arquivo .storekit ou YAML. A próxima página mostra o que mudaria; nada muda ainda.",
        zh: ".storekit 檔案或 YAML。下一頁會顯示將造成的更動，目前不會更改任何內容。",
        de: "Eine .storekit-Datei oder YAML. Die nächste Seite zeigt, was sich ändern würde; noch ändert sich nichts.")
    static let overrides = Phrase(
        "This Environment Differs", fr: "Différences de cet environnement", pt: "Diferenças deste ambiente",
        zh: "此環境的差異",
        de: "Abweichungen dieser Umgebung")
    static let noOverrides = Phrase(
        "This environment sells what the catalog says.", fr: "Cet environnement vend ce que dit le catalogue.",
        pt: "Este ambiente vende o que o catálogo diz.", zh: "此環境的販售內容與目錄相同。",
        de: "Diese Umgebung verkauft, was im Katalog steht.")
    static let nothing = Phrase(
        "The file and the store say the same.", fr: "Le fichier et le store sont identiques.",
        pt: "O arquivo e a loja são iguais.",
        zh: "檔案與商店內容相同。", de: "Datei und Store stimmen überein.")
    static let apply = Phrase(
        "Import These Changes", fr: "Importer ces modifications", pt: "Importar estas alterações", zh: "輸入這些更動",
        de: "Diese Änderungen importieren")
    static let applied = Phrase(
        "The file was imported.", fr: "Le fichier a été importé.", pt: "O arquivo foi importado.", zh: "已輸入檔案。",
        de: "Die Datei wurde importiert.")
    static let newApp = Phrase(
        "A new app.", fr: "Une nouvelle app.", pt: "Um novo app.", zh: "新的 App。", de: "Eine neue App.")
    static let changes = Phrase(
        "What would change", fr: "Ce qui changerait", pt: "O que mudaria", zh: "將會更動的內容", de: "Was sich ändern würde")
    static let conflicts = Phrase(
        "The file and the store have both changed these fields since the last import.",
        fr: "Le fichier et le store ont tous deux modifié ces champs depuis la dernière importation.",
        pt: "O arquivo e a loja alteraram estes campos desde a última importação.", zh: "上次輸入後，檔案與商店都更改了這些欄位。",
        de: "Datei und Store haben diese Felder seit dem letzten Import beide geändert.")
    static let contradictions = Phrase(
        "These changes contradict what was sold.", fr: "Ces modifications contredisent ce qui a été vendu.",
        pt: "Estas alterações contradizem o que foi vendido.", zh: "這些更動與已販售的內容牴觸。",
        de: "Diese Änderungen widersprechen dem, was verkauft wurde.")
    static let keep = Phrase(
        "Where both have changed", fr: "Là où les deux ont changé", pt: "Onde ambos mudaram", zh: "雙方皆有更動時",
        de: "Wo beide sich geändert haben")
    static let keepStore = Phrase(
        "Keep the store’s values", fr: "Conserver les valeurs du store", pt: "Manter os valores da loja", zh: "保留商店的值",
        de: "Werte des Stores behalten")
    static let keepFile = Phrase(
        "Take the file’s values", fr: "Prendre les valeurs du fichier", pt: "Usar os valores do arquivo", zh: "採用檔案的值",
        de: "Werte der Datei übernehmen")
    static let onlyInStore = Phrase(
        "Only in the store", fr: "Seulement dans le store", pt: "Só na loja", zh: "僅存在於商店", de: "Nur im Store")
    static let resource = Phrase("Resource", fr: "Ressource", pt: "Recurso", zh: "資源", de: "Ressource")
    static let field = Phrase("Field", fr: "Champ", pt: "Campo", zh: "欄位", de: "Feld")
    static let before = Phrase("Before", fr: "Avant", pt: "Antes", zh: "更改前", de: "Vorher")
    static let after = Phrase("After", fr: "Après", pt: "Depois", zh: "更改後", de: "Nachher")
    static let inStore = Phrase("In the store", fr: "Dans le store", pt: "Na loja", zh: "商店中", de: "Im Store")
    static let inFile = Phrase("In the file", fr: "Dans le fichier", pt: "No arquivo", zh: "檔案中", de: "In der Datei")
    static let lastImport = Phrase(
        "Last import", fr: "Dernière importation", pt: "Última importação", zh: "上次輸入", de: "Letzter Import")
}
