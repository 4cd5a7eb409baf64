/// The words of the page Inspect.
enum InspectionPhrases {
    static let inspect = Phrase("Inspect", fr: "Inspecter", pt: "Inspecionar", zh: "檢查", de: "Prüfen")
    static let paste = Phrase(
        "Receipt, signed data, token, certificate, key or ID",
        fr: "Reçu, données signées, jeton, certificat, clé ou identifiant",
        pt: "Recibo, dados assinados, token, certificado, chave ou ID", zh: "收據、已簽署資料、權杖、憑證、金鑰或 ID",
        de: "Beleg, signierte Daten, Token, Zertifikat, Schlüssel oder ID")
    static let pasteHint = Phrase(
        "As it is: in base64, URL-encoded, in quotation marks, inside JSON. Nothing is kept.",
        fr: "Tel quel : en base64, encodé pour URL, entre guillemets, dans du JSON. Rien n’est conservé.",
        pt: "Como está: em base64, codificado para URL, entre aspas, dentro de JSON. Nada é guardado.",
        zh: "原樣貼上即可：base64、URL 編碼、加引號或在 JSON 中。不會儲存任何內容。",
        de: "So wie es ist: in base64, URL-codiert, in Anführungszeichen, in JSON. Nichts wird behalten.")
    static let file = Phrase("Or a file", fr: "Ou un fichier", pt: "Ou um arquivo", zh: "或檔案", de: "Oder eine Datei")
    static let device = Phrase("Device", fr: "Appareil", pt: "Dispositivo", zh: "裝置", de: "Gerät")
    static let deviceHint = Phrase(
        "identifierForVendor or a MAC address: checks that a receipt is of this device.",
        fr: "identifierForVendor ou une adresse MAC : vérifie que le reçu vient de cet appareil.",
        pt: "identifierForVendor ou um endereço MAC: verifica se o recibo é deste dispositivo.",
        zh: "identifierForVendor 或 MAC 位址：檢查收據是否屬於此裝置。",
        de: "identifierForVendor oder eine MAC-Adresse: prüft, ob ein Beleg von diesem Gerät ist.")
    static let deviceWrong = Phrase(
        "A UUID, or a MAC address in hexadecimal digits.", fr: "Un UUID, ou une adresse MAC en chiffres hexadécimaux.",
        pt: "Um UUID ou um endereço MAC em dígitos hexadecimais.", zh: "UUID，或十六進位的 MAC 位址。",
        de: "Eine UUID oder eine MAC-Adresse in hexadezimalen Ziffern.")
    static let allPassed = Phrase(
        "All checks passed.", fr: "Tous les contrôles ont réussi.", pt: "Todas as verificações passaram.",
        zh: "通過所有檢查。", de: "Alle Prüfungen bestanden.")
    static let someFailed = Phrase(
        "Failed checks: %1", fr: "Contrôles en échec : %1", pt: "Verificações com falha: %1", zh: "未通過的檢查：%1",
        de: "Nicht bestandene Prüfungen: %1")
    static let checks = Phrase("Checks", fr: "Contrôles", pt: "Verificações", zh: "檢查項目", de: "Prüfungen")
    static let layers = Phrase(
        "What was around it", fr: "Ce qui l’entourait", pt: "O que estava ao redor", zh: "外層包裝", de: "Was darum war")
    static let contents = Phrase("Contents", fr: "Contenu", pt: "Conteúdo", zh: "內容", de: "Inhalt")
    static let field = Phrase("Field", fr: "Champ", pt: "Campo", zh: "欄位", de: "Feld")
    static let value = Phrase("Value", fr: "Valeur", pt: "Valor", zh: "值", de: "Wert")
    static let meaning = Phrase("Meaning", fr: "Signification", pt: "Significado", zh: "意義", de: "Bedeutung")
    static let decoded = Phrase(
        "Decoded JSON", fr: "JSON décodé", pt: "JSON decodificado", zh: "已解碼的 JSON", de: "Decodiertes JSON")
    static let bytes = Phrase(
        "In hexadecimal digits", fr: "En chiffres hexadécimaux", pt: "Em dígitos hexadecimais", zh: "十六進位數字",
        de: "In hexadezimalen Ziffern")
    static let certificates = Phrase("Certificates", fr: "Certificats", pt: "Certificados", zh: "憑證", de: "Zertifikate")
    static let serialNumber = Phrase(
        "Serial number", fr: "Numéro de série", pt: "Número de série", zh: "序號", de: "Seriennummer")
    static let validFrom = Phrase("Valid from", fr: "Valide du", pt: "Válido de", zh: "有效期自", de: "Gültig ab")
    static let validTo = Phrase("Valid until", fr: "Valide jusqu’au", pt: "Válido até", zh: "有效期至", de: "Gültig bis")
    static let keyType = Phrase("Key", fr: "Clé", pt: "Chave", zh: "金鑰", de: "Schlüssel")
    static let role = Phrase("Role", fr: "Rôle", pt: "Função", zh: "角色", de: "Rolle")
    static let leaf = Phrase("Leaf", fr: "Feuille", pt: "Folha", zh: "葉憑證", de: "Blattzertifikat")
    static let intermediate = Phrase(
        "Intermediate", fr: "Intermédiaire", pt: "Intermediário", zh: "中繼憑證", de: "Zwischenzertifikat")
    static let root = Phrase(
        "Root certificate", fr: "Certificat racine", pt: "Certificado raiz", zh: "根憑證", de: "Root-Zertifikat")
    static let origin = Phrase("Issuer of the chain", fr: "Origine", pt: "Origem", zh: "來源", de: "Herkunft")
    static let thisStore = Phrase("This store", fr: "Cette boutique", pt: "Esta loja", zh: "此商店", de: "Dieser Store")
    static let otherStore = Phrase(
        "Another Perennial store", fr: "Une autre boutique Perennial", pt: "Outra loja Perennial",
        zh: "另一個 Perennial 商店",
        de: "Ein anderer Perennial-Store")
    static let unknownOrigin = Phrase(
        "Unknown issuer", fr: "Émetteur inconnu", pt: "Emissor desconhecido", zh: "不明簽發者", de: "Unbekannter Aussteller")
    static let found = Phrase(
        "Found inside", fr: "Trouvé à l’intérieur", pt: "Encontrado dentro", zh: "內含項目", de: "Darin gefunden")
    static let part = Phrase("%1: %2", fr: "%1 : %2", pt: "%1: %2", zh: "%1：%2", de: "%1: %2")
    static let ids = Phrase(
        "What it is about", fr: "De quoi il s’agit", pt: "Sobre o que é", zh: "相關項目", de: "Worum es geht")
    static let noInput = Phrase(
        "Paste something first.", fr: "Collez d’abord quelque chose.", pt: "Cole algo primeiro.", zh: "請先貼上內容。",
        de: "Zuerst etwas einfügen.")
}
