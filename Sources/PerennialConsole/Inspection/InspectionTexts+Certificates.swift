import AppStoreFormats

extension InspectionTexts {
    /// Certificates and signatures.
    static let certificates: [InspectionFinding.Code: Translation] = [
        .certificateCount: .init(
            "x5c a %1 certificats au lieu de 3 : feuille, intermédiaire et racine.",
            "x5c tem %1 certificados em vez de 3: folha, intermediário e raiz.",
            "x5c 有 %1 個憑證而非 3 個：葉憑證、中繼憑證、根憑證。", "x5c hat %1 statt 3 Zertifikate: Blatt, Zwischenzertifikat und Root."),
        .orderRight: .init(
            "Feuille, intermédiaire, racine.", "Folha, intermediário, raiz.", "葉憑證、中繼憑證、根憑證。",
            "Blatt, Zwischenzertifikat, Root."),
        .orderWrong: .init(
            "L’ordre est %1. Il faut : feuille, intermédiaire, racine.",
            "A ordem é %1. O certo é: folha, intermediário, raiz.",
            "順序為 %1。正確為：葉憑證、中繼憑證、根憑證。", "Die Reihenfolge ist %1. Richtig ist: Blatt, Zwischenzertifikat, Root."),
        .certificateUnreadable: .init(
            "Le certificat %1 est illisible : %2.", "O certificado %1 não pode ser lido: %2.", "無法讀取第 %1 個憑證：%2。",
            "Zertifikat %1 ist nicht lesbar: %2."),
        .chainComplete: .init(
            "Chaque certificat est signé par le suivant : %1.", "Cada certificado foi assinado pelo seguinte: %1.",
            "每個憑證都由下一個簽署：%1。",
            "Jedes Zertifikat wurde vom nächsten signiert: %1."),
        .issuerMissing: .init(
            "Le certificat de %1, l’émetteur, manque.", "Falta o certificado de %1, o emissor.", "缺少簽發者 %1 的憑證。",
            "Das Zertifikat von %1, dem Aussteller, fehlt."),
        .issuerKeyWrong: .init(
            "%1 nomme %2 comme émetteur, mais cette clé ne l’a pas signé : un certificat a été modifié, ou une autre autorité porte ce nom.",
            "%1 indica %2 como emissor, mas essa chave não o assinou: um certificado foi alterado ou outra autoridade tem o mesmo nome.",
            "%1 指明簽發者為 %2，但並非由該金鑰簽署：憑證遭更改，或另有同名的簽發機構。",
            "%1 nennt %2 als Aussteller, aber dieser Schlüssel hat es nicht signiert: Ein Zertifikat wurde geändert, oder eine andere Stelle heißt ebenso."
        ),
        .signerMissing: .init(
            "Aucun certificat n’a l’émetteur et le numéro de série du signataire.",
            "Nenhum certificado tem o emissor e o número de série do signatário.",
            "沒有憑證符合簽署者的簽發者與序號。", "Kein Zertifikat hat Aussteller und Seriennummer des Unterzeichners."),
        .leafIsAuthority: .init(
            "%1 est le certificat d’une autorité, au lieu d’un signataire.",
            "%1 é o certificado de uma autoridade, em vez de um signatário.",
            "%1 是簽發機構的憑證，此處應為簽署者的憑證。", "%1 ist das Zertifikat einer Stelle statt eines Unterzeichners."),
        .rootOfThisStore: .init(
            "La chaîne aboutit à %1 de cette boutique.", "A cadeia termina em %1 desta loja.", "憑證鏈終止於此商店的 %1。",
            "Die Kette endet bei %1 dieses Stores."),
        .rootOfOtherPurpose: .init(
            "La chaîne aboutit à %1 de cette boutique, qui n’est pas la racine de ces données : reçus et données signées ont des racines distinctes.",
            "A cadeia termina em %1 desta loja, que não é a raiz deste tipo de dados: recibos e dados assinados têm raízes separadas.",
            "憑證鏈終止於此商店的 %1，但它不是這類資料的根憑證：收據與已簽署資料各有根憑證。",
            "Die Kette endet bei %1 dieses Stores, das nicht das Root dieser Daten ist: Belege und signierte Daten haben getrennte Roots."
        ),
        .rootOfApple: .init(
            "La chaîne aboutit à %1 d’Apple même. Cela vient d’Apple et non de cette boutique : vérifiez-le avec les racines d’Apple.",
            "A cadeia termina em %1 da própria Apple. Vem da Apple e não desta loja: verifique com as raízes da Apple.",
            "憑證鏈終止於 Apple 的 %1。資料來自 Apple 而非此商店：請用 Apple 的根憑證驗證。",
            "Die Kette endet bei Apples eigenem %1. Die Daten kommen von Apple und nicht von diesem Store: mit Apples Roots prüfen."
        ),
        .rootOfXcode: .init(
            "Signé par le test local de Xcode, avec un certificat propre à ce Mac. Exécutez l’app avec cette boutique, ou approuvez le certificat que Xcode enregistre.",
            "Assinado pelo teste local do Xcode, com um certificado só daquele Mac. Execute o app com esta loja ou confie no certificado que o Xcode salva.",
            "由 Xcode 本機測試簽署，憑證僅屬於該部 Mac。請讓 App 使用此商店，或信任 Xcode 儲存的憑證。",
            "Von Xcodes lokalem Testen signiert, mit einem Zertifikat nur jenes Mac. Die App gegen diesen Store ausführen oder dem von Xcode gesicherten Zertifikat vertrauen."
        ),
        .rootOfAnotherStore: .init(
            "La chaîne aboutit à %1 d’une autre boutique Perennial, ou de celle-ci avant le renouvellement de ses clés. Approuvez la racine de cette boutique.",
            "A cadeia termina em %1 de outra loja Perennial, ou desta antes de suas chaves serem refeitas. Confie na raiz daquela loja.",
            "憑證鏈終止於另一個 Perennial 商店的 %1，或此商店重建金鑰前的根憑證。請信任該商店的根憑證。",
            "Die Kette endet bei %1 eines anderen Perennial-Stores oder dieses Stores vor seinen neuen Schlüsseln. Dem Root jenes Stores vertrauen."
        ),
        .rootUnknown: .init(
            "La chaîne aboutit à %1, qui n’est ni la racine de cette boutique ni celle d’Apple. SHA-256 : %2.",
            "A cadeia termina em %1, que não é a raiz desta loja nem da Apple. SHA-256: %2.",
            "憑證鏈終止於 %1，既非此商店也非 Apple 的根憑證。SHA-256：%2。",
            "Die Kette endet bei %1, weder Root dieses Stores noch Apples. SHA-256: %2."),
        .rootsMissing: .init(
            "Aucune racine n’est connue pour la comparaison.", "Nenhuma raiz é conhecida para comparar.", "沒有可供比對的根憑證。",
            "Kein Root ist bekannt, mit dem verglichen werden kann."),
        .markersThere: .init(
            "Les certificats ont les extensions de marquage de l’App Store.",
            "Os certificados têm as extensões de marcação da App Store.",
            "憑證具有 App Store 的標記延伸。", "Die Zertifikate haben die kennzeichnenden Erweiterungen des App Store."),
        .markersMissing: .init(
            "%1 n’a pas l’extension %2 : il n’a pas été émis pour signer des données de l’App Store, et les bibliothèques d’Apple le refusent.",
            "%1 não tem a extensão %2: não foi emitido para assinar dados da App Store, e as bibliotecas da Apple o recusam.",
            "%1 缺少延伸 %2：並非為簽署 App Store 資料而簽發，Apple 的程式庫會拒絕。",
            "%1 fehlt die Erweiterung %2: nicht zum Signieren von App-Store-Daten ausgestellt; Apples Bibliotheken lehnen es ab."
        ),
        .certificatesValid: .init(
            "Valides à la date de signature, %1.", "Válidos na data da assinatura, %1.", "於簽署日期 %1 有效。",
            "Am Datum der Signatur gültig, %1."),
        .certificateExpired: .init(
            "%1 a expiré le %2, et les données ont été signées le %3.",
            "%1 expirou em %2, e os dados foram assinados em %3.",
            "%1 已於 %2 到期，而資料簽署於 %3。", "%1 lief am %2 ab, und die Daten wurden am %3 signiert."),
        .certificateNotYetValid: .init(
            "%1 est valide à partir du %2, et les données ont été signées avant, le %3.",
            "%1 é válido a partir de %2, e os dados foram assinados antes, em %3.",
            "%1 自 %2 起有效，而資料更早簽署於 %3。", "%1 gilt ab %2, und die Daten wurden vorher signiert, am %3."),
        .validityUnknown: .init(
            "Les données n’indiquent pas de date de signature.", "Os dados não indicam data de assinatura.",
            "資料未註明簽署日期。",
            "Die Daten nennen kein Datum der Signatur."),
        .notRevoked: .init(
            "Cette boutique ne l’a pas révoqué.", "Esta loja não o revogou.", "此商店未撤銷。",
            "Dieser Store hat es nicht widerrufen."),
        .revoked: .init(
            "%1 a été révoqué le %2. Les vérificateurs en ligne refusent ce qu’il a signé.",
            "%1 foi revogado em %2. Verificadores on-line recusam o que ele assinou.",
            "%1 已於 %2 撤銷。線上檢查撤銷的驗證程式會拒絕其簽署的資料。",
            "%1 wurde am %2 widerrufen. Prüfer, die online nach Widerrufen fragen, lehnen das Signierte ab."),
        .revocationUnknown: .init(
            "Seul l’émetteur le sait : ce n’est pas cette boutique.", "Só o emissor sabe: não é esta loja.",
            "只有簽發者知道：並非由此商店簽發。",
            "Nur der Aussteller weiß es: Dieser Store war es nicht."),
        .verifierRefuses: .init(
            "Le vérificateur de la boutique le refuse : %1.", "O verificador da loja recusa: %1.", "商店的驗證程式拒絕：%1。",
            "Der Prüfer des Stores lehnt es ab: %1."),
        .signatureFits: .init(
            "Elle correspond au contenu et au certificat.", "Corresponde ao conteúdo e ao certificado.", "與內容及憑證相符。",
            "Sie passt zu Inhalt und Zertifikat."),
        .signatureDoesNotFit: .init(
            "Elle ne correspond pas : les données ont été modifiées après la signature, ou une autre clé a signé.",
            "Não corresponde: os dados foram alterados depois de assinados ou outra chave assinou.",
            "不相符：資料在簽署後遭更改，或由其他金鑰簽署。",
            "Sie passt nicht: Die Daten wurden nach dem Signieren geändert, oder ein anderer Schlüssel hat signiert."),
        .messageDigestWrong: .init(
            "L’empreinte signée n’est pas celle du contenu : il a été modifié.",
            "O resumo assinado não é o do conteúdo: ele foi alterado.",
            "簽署的摘要與內容不符：內容遭更改。", "Der signierte Hashwert ist nicht der des Inhalts: Er wurde geändert."),
        .signatureUnchecked: .init(
            "Sans la clé, elle ne peut être vérifiée.", "Sem a chave não pode ser verificada.", "沒有金鑰就無法檢查。",
            "Ohne den Schlüssel nicht prüfbar."),
        .notSigned: .init(
            "Cette forme n’est pas signée.", "Esta forma não é assinada.", "此形式沒有簽章。", "Diese Form ist nicht signiert."),
        .signatureForm: .init(
            "La signature est en DER. Un JWS contient les 64 octets de r et s.",
            "A assinatura está em DER. Um JWS tem os 64 bytes de r e s.",
            "簽章為 DER 格式。JWS 應為 r 與 s 的 64 個位元組。", "Die Signatur ist in DER. Ein JWS hat die 64 Bytes von r und s."),
    ]
}
