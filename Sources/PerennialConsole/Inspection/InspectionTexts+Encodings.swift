import AppStoreFormats

extension InspectionTexts {
    /// Layers, encodings and structures.
    static let encodings: [InspectionFinding.Code: Translation] = [
        .lineBreaksRemoved: .init(
            "Les espaces et sauts de ligne intérieurs ont été supprimés.",
            "Espaços e quebras de linha internos foram removidos.",
            "已移除其中的空白與換行。", "Leerraum und Zeilenumbrüche darin wurden entfernt."),
        .quotesRemoved: .init(
            "Les guillemets autour ont été supprimés.", "As aspas ao redor foram removidas.", "已移除外側的引號。",
            "Anführungszeichen darum wurden entfernt."),
        .percentDecoded: .init(
            "L’encodage URL a été décodé.", "A codificação de URL foi decodificada.", "原為 URL 編碼，已解碼。",
            "Die URL-Codierung wurde decodiert."),
        .escapesReplaced: .init(
            "Les échappements JSON ont été remplacés.", "Os escapes de JSON foram substituídos.", "已還原 JSON 跳脫字元。",
            "Maskierungen von JSON wurden ersetzt."),
        .bearerRemoved: .init(
            "« Bearer » a été supprimé au début.", "“Bearer” no início foi removido.", "已移除開頭的「Bearer」。",
            "„Bearer“ davor wurde entfernt."),
        .labelRemoved: .init(
            "Le nom %1 a été supprimé au début.", "O nome %1 no início foi removido.", "已移除開頭的名稱 %1。",
            "Der Name %1 davor wurde entfernt."),
        .base64Decoded: .init("Décodé de base64.", "Decodificado de base64.", "已從 base64 解碼。", "Aus base64 decodiert."),
        .hexadecimalDecoded: .init(
            "Décodé de chiffres hexadécimaux.", "Decodificado de dígitos hexadecimais.", "已從十六進位數字解碼。",
            "Aus hexadezimalen Ziffern decodiert."),
        .markRemoved: .init(
            "La marque d’ordre des octets a été supprimée.", "A marca de ordem de bytes foi removida.", "已移除位元組順序記號。",
            "Eine Byte-Reihenfolge-Marke davor wurde entfernt."),
        .plistRead: .init(
            "Lu dans une liste de propriétés XML.", "Lido de uma lista de propriedades em XML.", "讀自 XML 格式的屬性列表。",
            "Aus einer Property-Liste in XML gelesen."),
        .structureCurl: .init(
            "Une commande curl : %1 %2.", "Um comando do curl: %1 %2.", "curl 指令：%1 %2。", "Ein Befehl von curl: %1 %2."),
        .curlFile: .init(
            "curl lit le corps dans le fichier %1, absent ici. Inspectez ce fichier.",
            "O curl lê o corpo do arquivo %1, que não está aqui. Inspecione esse arquivo.",
            "curl 會從檔案 %1 讀取內文，此處沒有該檔案。請檢查該檔案。",
            "curl liest den Inhalt aus der Datei %1, die hier nicht vorliegt. Untersuchen Sie diese Datei."),
        .curlEmpty: .init(
            "La commande n’envoie ni corps ni jeton.", "O comando não envia corpo nem token.", "此指令未傳送內文或權杖。",
            "Der Befehl sendet weder einen Inhalt noch ein Token."),
        .plistBinary: .init(
            "Une liste de propriétés binaire. Convertissez-la d’abord : plutil -convert xml1 -o - FILE, ou plistutil -i FILE.",
            "Uma lista de propriedades binária. Converta-a antes: plutil -convert xml1 -o - FILE, ou plistutil -i FILE.",
            "二進位格式的屬性列表。請先轉換：plutil -convert xml1 -o - FILE，或 plistutil -i FILE。",
            "Eine binäre Property-Liste. Wandeln Sie sie zuerst um: plutil -convert xml1 -o - FILE, oder plistutil -i FILE."
        ),
        .encodingRight: .init("%1, comme il se doit.", "%1, como deve ser.", "%1，正確。", "%1, wie es sein soll."),
        .encodingBinary: .init(
            "Octets sans base64. verifyReceipt les attend en base64.",
            "Bytes sem base64. verifyReceipt os espera em base64.",
            "未經 base64 編碼的位元組。verifyReceipt 需要 base64。", "Bytes ohne base64. verifyReceipt erwartet base64."),
        .urlAlphabet: .init(
            "base64url (- et _) au lieu de base64 (+ et /). verifyReceipt répond 21002 : utilisez l’alphabet standard.",
            "base64url (- e _) em vez de base64 (+ e /). verifyReceipt responde 21002: use o alfabeto padrão.",
            "使用了 base64url（- 和 _）而非 base64（+ 和 /）。verifyReceipt 會回應 21002：請用標準字元集。",
            "base64url (- und _) statt base64 (+ und /). verifyReceipt antwortet 21002: Das Standardalphabet verwenden."
        ),
        .standardAlphabet: .init(
            "base64 (+ et /) au lieu de base64url (- et _), que contient un JWS.",
            "base64 (+ e /) em vez de base64url (- e _), usado em um JWS.",
            "使用了 base64（+ 和 /）；JWS 應使用 base64url（- 和 _）。",
            "base64 (+ und /) statt base64url (- und _), das ein JWS hat."),
        .paddingMissing: .init(
            "Le remplissage (=) final manque. verifyReceipt répond 21002 : envoyez le texte tel quel.",
            "Falta o preenchimento (=) no fim. verifyReceipt responde 21002: envie o texto sem alterações.",
            "結尾缺少填充字元（=）。verifyReceipt 會回應 21002：請原樣傳送。",
            "Das Auffüllen (=) am Ende fehlt. verifyReceipt antwortet 21002: Den Text unverändert senden."),
        .paddingInJWS: .init(
            "Une partie se termine par un remplissage (=). Le base64url d’un JWS n’en a pas.",
            "Uma parte termina com preenchimento (=). O base64url de um JWS não tem preenchimento.",
            "有一段以填充字元（=）結尾；JWS 的 base64url 沒有填充。",
            "Ein Teil endet mit Auffüllung (=). Das base64url eines JWS hat keine."),
        .encodedTwice: .init(
            "Encodé deux fois en base64. Encodez les octets une seule fois.",
            "Codificado duas vezes em base64. Codifique os bytes uma só vez.",
            "經過兩次 base64 編碼。請只編碼一次。", "Zweimal in base64 codiert. Die Bytes nur einmal codieren."),
        .spacesForPlus: .init(
            "Des espaces remplacent + : le texte a été envoyé dans un formulaire sans encodage URL.",
            "Há espaços no lugar de +: o texto foi enviado em um formulário sem codificação de URL.",
            "「+」變成了空格：文字在表單中傳送時未經 URL 編碼。",
            "Statt + stehen Leerzeichen: Der Text wurde in einem Formular ohne URL-Codierung gesendet."),
        .lastCharacterCut: .init(
            "Il manque un caractère à la fin : le texte est coupé. Copiez-le en entier.",
            "Falta um caractere no fim: o texto foi cortado. Copie tudo.",
            "結尾缺少字元：文字遭截斷。請完整拷貝。", "Am Ende fehlt ein Zeichen: Der Text ist abgeschnitten. Vollständig kopieren."),
        .lineBreaksInside: .init(
            "Les sauts de ligne ont été supprimés. verifyReceipt attend du base64 sur une ligne, sinon répond 21002.",
            "As quebras de linha foram removidas. verifyReceipt espera base64 em uma linha; senão responde 21002.",
            "已移除換行。verifyReceipt 只接受單行的 base64，否則回應 21002。",
            "Zeilenumbrüche wurden entfernt. verifyReceipt erwartet base64 in einer Zeile und antwortet sonst 21002."),
        .structureReceipt: .init(
            "Un conteneur PKCS #7 avec %1 certificats.", "Um contêiner PKCS #7 com %1 certificados.",
            "含 %1 個憑證的 PKCS #7 容器。",
            "Ein PKCS #7-Container mit %1 Zertifikaten."),
        .structurePlist: .init(
            "Une liste de propriétés ancienne, avec purchase-info et signature.",
            "Uma lista de propriedades antiga, com purchase-info e signature.",
            "舊式屬性列表，含 purchase-info 與 signature。",
            "Eine Eigenschaftsliste der alten Form mit purchase-info und signature."),
        .structureJWS: .init(
            "Trois parties : en-tête, contenu et signature.", "Três partes: cabeçalho, conteúdo e assinatura.",
            "三個部分：標頭、內容與簽章。",
            "Drei Teile: Kopf, Inhalt und Signatur."),
        .structureCertificate: .init(
            "Un certificat X.509.", "Um certificado X.509.", "X.509 憑證。", "Ein X.509-Zertifikat."),
        .structureJSON: .init("JSON.", "JSON.", "JSON。", "JSON."),
        .truncated: .init(
            "Se termine après %1 octets sur %2 : coupé. Copiez tout.",
            "Termina após %1 de %2 bytes: foi cortado. Copie tudo.",
            "在 %2 個位元組中的第 %1 個結束：遭截斷。請完整拷貝。", "Endet nach %1 von %2 Bytes: abgeschnitten. Vollständig kopieren."),
        .truncatedSignature: .init(
            "La signature a %1 octets au lieu de 64 : coupée. Copiez tout.",
            "A assinatura tem %1 bytes em vez de 64: foi cortada. Copie tudo.",
            "簽章有 %1 個位元組而非 64 個：遭截斷。請完整拷貝。", "Die Signatur hat %1 statt 64 Bytes: abgeschnitten. Vollständig kopieren."),
        .partsCount: .init(
            "%1 parties séparées par des points au lieu de 3 : il manque ou s’ajoute quelque chose.",
            "%1 partes separadas por pontos em vez de 3: falta ou sobra algo.", "以點分隔的部分有 %1 個而非 3 個：有缺漏或多餘。",
            "%1 Teile mit Punkten dazwischen statt 3: Etwas fehlt oder ist zu viel."),
        .malformed: .init("Illisible : %1.", "Não pode ser lido: %1.", "無法讀取：%1。", "Nicht lesbar: %1."),
        .xcodeForm: .init(
            "BER à longueurs indéfinies, comme l’écrit le test local de Xcode. verifyReceipt répond 21002 : aucun serveur n’accepte ces reçus.",
            "BER com comprimentos indefinidos, como escreve o teste local do Xcode. verifyReceipt responde 21002: nenhum servidor aceita esses recibos.",
            "不定長度的 BER，為 Xcode 本機測試所寫。verifyReceipt 會回應 21002：沒有伺服器接受這種收據。",
            "BER mit unbestimmten Längen, wie Xcodes lokales Testen es schreibt. verifyReceipt antwortet 21002: Kein Server nimmt solche Belege an."
        ),
        .tooLarge: .init(
            "%1 octets ; %2 au plus sont lus.", "%1 bytes; no máximo %2 são lidos.", "%1 個位元組；最多讀取 %2 個。",
            "%1 Bytes; höchstens %2 werden gelesen."),
        .empty: .init(
            "Il n’y a rien à inspecter.", "Não há nada para inspecionar.", "沒有可檢查的內容。", "Es gibt nichts zu prüfen."),
        .unknownInput: .init(
            "Ni reçu, ni données signées, jeton, certificat, clé, fichier ou identifiant. Commence par %1.",
            "Não é recibo, dado assinado, token, certificado, chave, arquivo nem ID. Começa com %1.",
            "不是收據、已簽署資料、權杖、憑證、金鑰、檔案或 ID。開頭為 %1。",
            "Weder Beleg noch signierte Daten, Token, Zertifikat, Schlüssel, Datei oder ID. Beginnt mit %1."),
        .algorithmRight: .init("%1.", "%1.", "%1。", "%1."),
        .digestSHA1: .init(
            "SHA-1, utilisé par l’App Store jusqu’en janvier 2025. Les vérificateurs acceptent les deux.",
            "SHA-1, usado pela App Store até janeiro de 2025. Os verificadores aceitam ambos.",
            "SHA-1，App Store 使用至 2025 年 1 月。驗證程式兩種都接受。",
            "SHA-1, mit dem der App Store bis Januar 2025 signierte. Prüfer nehmen beide an."),
        .algorithmWrong: .init("%1 au lieu de %2.", "%1 em vez de %2.", "是 %1 而非 %2。", "%1 statt %2."),
        .criticalHeader: .init(
            "L’en-tête contient crit : il exige des extensions inconnues des vérificateurs.",
            "O cabeçalho tem crit: exige extensões que os verificadores não conhecem.", "標頭含 crit：要求驗證程式不認識的延伸。",
            "Der Kopf hat crit: Er verlangt Erweiterungen, die Prüfer nicht kennen."),
        .partsLeftOut: .init(
            "Seules les %1 premières parties ont été inspectées.", "Só as primeiras %1 partes foram inspecionadas.",
            "只檢查了前 %1 個部分。",
            "Nur die ersten %1 Teile wurden geprüft."),
    ]
}
