/// Texts about content files.
enum ContentPhrases {
    static let meaning = Phrase(
        "Files that this store’s content server delivers to customers who bought the product.",
        fr: "Fichiers que le serveur de contenu de ce store fournit aux clients qui ont acheté le produit.",
        pt: "Arquivos que o servidor de conteúdo desta loja entrega a clientes que compraram o produto.",
        zh: "此商店的內容伺服器會將檔案提供給已購買產品的顧客。",
        de: "Dateien, die der Inhaltsserver dieses Stores an Käufer des Produkts ausliefert.")
    static let noServer = Phrase(
        "This store delivers no content.", fr: "Ce store ne fournit pas de contenu.",
        pt: "Esta loja não entrega conteúdo.",
        zh: "此商店不提供內容。", de: "Dieser Store liefert keine Inhalte aus.")
    static let startServer = Phrase(
        "Start it with a folder: serve --content.", fr: "Démarrez-le avec un dossier\u{202F}: serve --content.",
        pt: "Inicie-a com uma pasta: serve --content.", zh: "請指定資料夾啟動：serve --content。",
        de: "Starten Sie ihn mit einem Ordner: serve --content.")
    static let none = Phrase(
        "No files yet.", fr: "Aucun fichier.", pt: "Ainda não há arquivos.", zh: "尚無檔案。", de: "Noch keine Dateien.")
    static let size = Phrase(
        "Size in Bytes", fr: "Taille en octets", pt: "Tamanho em bytes", zh: "大小（位元組）", de: "Größe in Byte")
    static let digest = Phrase(
        "SHA-256 Digest", fr: "Empreinte SHA-256", pt: "Resumo SHA-256", zh: "SHA-256 摘要", de: "SHA-256-Prüfsumme")
    static let used = Phrase("Delivered", fr: "Fourni", pt: "Entregue", zh: "提供中", de: "Wird ausgeliefert")
    static let kept = Phrase("Kept", fr: "Conservé", pt: "Mantido", zh: "已保留", de: "Aufbewahrt")
    static let use = Phrase("Deliver", fr: "Fournir", pt: "Entregar", zh: "提供此版本", de: "Ausliefern")
    static let fileHint = Phrase(
        "A name of letters, digits, periods, underscores and hyphens.",
        fr: "Un nom fait de lettres, chiffres, points, tirets et traits de soulignement.",
        pt: "Um nome com letras, números, pontos, sublinhados e hifens.", zh: "檔名限英文字母、數字、句點、底線和連字號。",
        de: "Ein Name aus Buchstaben, Ziffern, Punkten, Unter- und Bindestrichen.")
}
