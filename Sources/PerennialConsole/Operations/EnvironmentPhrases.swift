/// The words of the environments' page.
enum EnvironmentPhrases {
    static let title = Phrase("Environments", fr: "Environnements", pt: "Ambientes", zh: "環境", de: "Umgebungen")
    static let kind = Phrase("Kind", fr: "Nature", pt: "Classe", zh: "種類", de: "Sorte")
    static let clock = Phrase("Clock", fr: "Horloge", pt: "Relógio", zh: "時鐘", de: "Uhr")
    static let realClock = Phrase("real time", fr: "temps réel", pt: "tempo real", zh: "實際時間", de: "Echtzeit")
    static let manualClock = Phrase(
        "stands still until it is advanced", fr: "à l’arrêt jusqu’à ce qu’on l’avance", pt: "parado até ser avançado",
        zh: "靜止，直到手動快轉", de: "steht, bis sie vorgestellt wird")
    static let now = Phrase("Now", fr: "Maintenant", pt: "Agora", zh: "目前時間", de: "Jetzt")
    static let baseURL = Phrase("Base URL", fr: "URL de base", pt: "URL base", zh: "基本網址", de: "Basis-URL")
    static let dueWork = Phrase(
        "Renewals due", fr: "Renouvellements dus", pt: "Renovações pendentes", zh: "待處理續訂", de: "Fällige Verlängerungen"
    )
    static let create = Phrase(
        "Create an environment", fr: "Créer un environnement", pt: "Criar um ambiente", zh: "建立環境",
        de: "Umgebung anlegen")
    static let nameHint = Phrase(
        "Letters, digits, - and _, at most 64, and no - at the beginning.",
        fr: "Lettres, chiffres, - et _, 64 au plus, et pas de - au début.",
        pt: "Letras, dígitos, - e _, no máximo 64, e sem - no início.", zh: "字母、數字、- 與 _，最多 64 個，且不以 - 開頭。",
        de: "Buchstaben, Ziffern, - und _, höchstens 64, und kein - am Anfang.")
    static let kindHint = Phrase(
        "The App Store’s environment that it imitates.", fr: "L’environnement de l’App Store qu’il imite.",
        pt: "O ambiente da App Store que ele imita.", zh: "它所模擬的 App Store 環境。",
        de: "Die Umgebung des App Store, die sie nachbildet.")
    static let start = Phrase(
        "Start of a manual clock", fr: "Départ d’une horloge manuelle", pt: "Início de um relógio manual",
        zh: "手動時鐘的起始時間",
        de: "Beginn einer gestellten Uhr")
    static let startHint = Phrase(
        "Now if empty: 2026-01-31T10:00:00Z.", fr: "Maintenant si le champ est vide : 2026-01-31T10:00:00Z.",
        pt: "Agora, se vazio: 2026-01-31T10:00:00Z.", zh: "留空則為目前時間：2026-01-31T10:00:00Z。",
        de: "Leer: jetzt. Sonst 2026-01-31T10:00:00Z.")
    static let badTime = Phrase(
        "A time such as 2026-01-31T10:00:00Z.", fr: "Une heure telle que 2026-01-31T10:00:00Z.",
        pt: "Uma data e hora como 2026-01-31T10:00:00Z.", zh: "時間格式如 2026-01-31T10:00:00Z。",
        de: "Eine Zeit wie 2026-01-31T10:00:00Z.")
    static let startOfRealClock = Phrase(
        "Only a manual clock has a start.", fr: "Seule une horloge manuelle a un départ.",
        pt: "Só um relógio manual tem início.", zh: "只有手動時鐘才有起始時間。", de: "Nur eine gestellte Uhr hat einen Beginn.")
    static let created = Phrase(
        "%1 is there.", fr: "%1 est prêt.", pt: "%1 está pronto.", zh: "已建立 %1。", de: "%1 ist da.")
    static let manage = Phrase(
        "Empty or remove", fr: "Vider ou supprimer", pt: "Esvaziar ou remover", zh: "清空或移除", de: "Leeren oder entfernen"
    )
    static let reset = Phrase("Empty", fr: "Vider", pt: "Esvaziar", zh: "清空", de: "Leeren")
    static let resetWarning = Phrase(
        "Deletes all accounts, purchases and journal entries of %1. Catalog, keys and the clock’s time stay.",
        fr: "Supprime tous les comptes, achats et écritures de %1. Le catalogue, les clés et l’heure restent.",
        pt:
            "Exclui todas as contas, compras e lançamentos de %1. O catálogo, as chaves e a hora do relógio permanecem.",
        zh: "刪除 %1 的所有帳號、購買項目與日誌。目錄、金鑰與時鐘時間會保留。",
        de: "Löscht alle Accounts, Käufe und Journaleinträge von %1. Katalog, Schlüssel und Uhrzeit bleiben.")
    static let emptied = Phrase(
        "%1 is empty.", fr: "%1 est vide.", pt: "%1 está vazio.", zh: "%1 已清空。", de: "%1 ist leer.")
    static let remove = Phrase("Remove", fr: "Supprimer", pt: "Remover", zh: "移除", de: "Entfernen")
    static let removeWarning = Phrase(
        "Removes %1 with all that happened in it. Its IDs are never used again.",
        fr: "Supprime %1 avec tout ce qui s’y est passé. Ses ID ne seront plus jamais utilisés.",
        pt: "Remove %1 com tudo o que aconteceu nele. Seus IDs nunca serão usados de novo.",
        zh: "移除 %1 及其中發生的一切。其 ID 不會再使用。",
        de: "Entfernt %1 mit allem, was darin geschehen ist. Die IDs werden nie wieder benutzt.")
    static let removed = Phrase(
        "%1 was removed.", fr: "%1 a été supprimé.", pt: "%1 foi removido.", zh: "已移除 %1。", de: "%1 wurde entfernt.")
    static let typeName = Phrase(
        "Type the environment’s name.", fr: "Saisissez le nom de l’environnement.", pt: "Digite o nome do ambiente.",
        zh: "請輸入環境名稱。", de: "Geben Sie den Namen der Umgebung ein.")
    static let nameTaken = Phrase(
        "An environment of that name is there already.", fr: "Un environnement de ce nom existe déjà.",
        pt: "Já existe um ambiente com esse nome.", zh: "已有同名的環境。", de: "Es gibt schon eine Umgebung dieses Namens.")
}
