import AppStoreFormats

extension InspectionTexts {
    /// Contents, origins, IDs and statuses.
    static let contents: [InspectionFinding.Code: Translation] = [
        .contentsRead: .init(
            "Le contenu est lisible.", "O conteúdo pode ser lido.", "內容可讀取。", "Der Inhalt ist lesbar."),
        .contentsUnread: .init(
            "Le contenu est illisible : %1.", "O conteúdo não pode ser lido: %1.", "無法讀取內容：%1。",
            "Der Inhalt ist nicht lesbar: %1."),
        .membersMissing: .init("Manque : %1.", "Falta: %1.", "缺少：%1。", "Es fehlt: %1."),
        .signedAt: .init("Signé le %1.", "Assinado em %1.", "簽署於 %1。", "Signiert am %1."),
        .signedInFuture: .init(
            "Signé le %1, or nous sommes le %2 : l’horloge du signataire avance, ou celle de l’environnement a été reculée.",
            "Assinado em %1, e agora é %2: o relógio de quem assinou está adiantado, ou o do ambiente foi atrasado.",
            "簽署於 %1，而現在是 %2：簽署者的時鐘過快，或環境的時鐘被調回。",
            "Signiert am %1, und es ist %2: Die Uhr des Unterzeichners geht vor, oder die der Umgebung wurde zurückgestellt."
        ),
        .signingTimeMissing: .init(
            "Il n’y a pas de date de signature.", "Não há data de assinatura.", "沒有簽署日期。",
            "Es gibt kein Datum der Signatur."),
        .environmentFits: .init("%1, comme attendu.", "%1, como esperado.", "%1，符合預期。", "%1, wie erwartet."),
        .environmentDiffers: .init(
            "De %1, or ici c’est %2. Utilisez l’environnement d’origine.",
            "É de %1, e aqui é %2. Use o ambiente de origem.",
            "屬於 %1，而這裡是 %2。請使用其所屬環境。", "Aus %1, und dies ist %2. Die Umgebung verwenden, aus der es stammt."),
        .receiptElsewhere: .init(
            "De %1, or ici c’est %2. verifyReceipt répond ici %3 : interrogez %1.",
            "É de %1, e aqui é %2. verifyReceipt responde %3 aqui: consulte %1.",
            "屬於 %1，而這裡是 %2。verifyReceipt 在此回應 %3：請改向 %1 查詢。",
            "Aus %1, und dies ist %2. verifyReceipt antwortet hier %3: %1 fragen."),
        .environmentXcode: .init(
            "Du test local de Xcode, qu’aucun serveur ne connaît.",
            "Do teste local do Xcode, que nenhum servidor conhece.",
            "來自 Xcode 本機測試，沒有伺服器認得。", "Aus Xcodes lokalem Testen, das kein Server kennt."),
        .environmentUnknown: .init("%1.", "%1.", "%1。", "%1."),
        .bundleIDFits: .init("%1, comme attendu.", "%1, como esperado.", "%1，符合預期。", "%1, wie erwartet."),
        .bundleIDDiffers: .init(
            "De l’app %1, or %2 était attendue.", "É do app %1, mas esperava-se %2.", "屬於 App %1，而預期為 %2。",
            "Von der App %1; erwartet war %2."),
        .appUnknown: .init(
            "Cette boutique n’a pas d’app avec l’identifiant de lot %1.",
            "Esta loja não tem app com o ID do pacote %1.", "此商店沒有套件 ID 為 %1 的 App。",
            "Dieser Store hat keine App mit der Bundle-ID %1."),
        .bundleIDUnknown: .init("%1.", "%1.", "%1。", "%1."),
        .deviceFits: .init(
            "L’empreinte correspond à l’appareil.", "O hash corresponde ao dispositivo.", "雜湊與裝置相符。",
            "Der Hashwert passt zum Gerät."),
        .deviceDiffers: .init(
            "L’empreinte ne correspond pas : le reçu vient d’un autre appareil, ou l’identifiant a d’autres octets (16 d’identifierForVendor, ou 6 d’une adresse MAC).",
            "O hash não corresponde: o recibo é de outro dispositivo ou o identificador tem outros bytes (16 de identifierForVendor ou 6 de um endereço MAC).",
            "雜湊與裝置不符：收據屬於其他裝置，或識別碼的位元組不同（identifierForVendor 的 16 個，或 MAC 位址的 6 個）。",
            "Der Hashwert passt nicht: Der Beleg ist von einem anderen Gerät, oder die Kennung hat andere Bytes (16 von identifierForVendor oder 6 einer MAC-Adresse)."
        ),
        .deviceNotGiven: .init(
            "Aucun appareil n’a été indiqué.", "Nenhum dispositivo foi indicado.", "未指定裝置。", "Kein Gerät wurde genannt."
        ),
        .secretNeeded: .init(
            "Contient des abonnements à renouvellement automatique : verifyReceipt demande le secret partagé de l’app.",
            "Tem assinaturas com renovação automática: verifyReceipt exige o segredo compartilhado do app.",
            "含自動續訂訂閱：verifyReceipt 需要 App 的共享密鑰。",
            "Enthält automatisch verlängerbare Abos: verifyReceipt braucht das Shared Secret der App."),
        .secretMissing: .init(
            "Contient des abonnements à renouvellement automatique, et la requête n’a pas de password. verifyReceipt répond 21004 : envoyez le secret partagé.",
            "Tem assinaturas com renovação automática, e a solicitação não tem password. verifyReceipt responde 21004: envie o segredo compartilhado.",
            "含自動續訂訂閱，但要求沒有 password。verifyReceipt 會回應 21004：請傳送 App 的共享密鑰。",
            "Enthält automatisch verlängerbare Abos, und die Anfrage hat kein password. verifyReceipt antwortet 21004: das Shared Secret senden."
        ),
        .secretGiven: .init(
            "La requête a un password.", "A solicitação tem um password.", "要求含 password。",
            "Die Anfrage hat ein password."),
        .secretRight: .init(
            "C’est le secret partagé de l’app.", "É o segredo compartilhado do app.", "這是 App 的共享密鑰。",
            "Es ist das Shared Secret der App."),
        .secretWrong: .init(
            "Ce n’est pas le secret partagé de l’app : verifyReceipt répond 21004.",
            "Não é o segredo compartilhado do app: verifyReceipt responde 21004.",
            "這不是 App 的共享密鑰：verifyReceipt 會回應 21004。",
            "Es ist nicht das Shared Secret der App: verifyReceipt antwortet 21004."),
        .found: .init(
            "%1 est dans cet environnement.", "%1 está neste ambiente.", "%1 在此環境中。", "%1 ist in dieser Umgebung."),
        .notFound: .init(
            "Cet environnement n’a pas %1.", "Este ambiente não tem %1.", "此環境沒有 %1。", "Diese Umgebung hat %1 nicht."),
        .foundElsewhere: .init(
            "Cet environnement n’a pas %1, mais %2 l’a.", "Este ambiente não tem %1, mas %2 tem.", "此環境沒有 %1，但 %2 有。",
            "Diese Umgebung hat %1 nicht, aber %2."),
        .storeKitImport: .init(
            "Un fichier de configuration StoreKit avec %1 produits. Importez-le : perennial catalog import FICHIER.",
            "Um arquivo de configuração do StoreKit com %1 produtos. Importe: perennial catalog import ARQUIVO.",
            "含 %1 個產品的 StoreKit 設定檔。匯入方式：perennial catalog import 檔案。",
            "Eine StoreKit-Konfigurationsdatei mit %1 Produkten. Importieren: perennial catalog import DATEI."),
        .statusValid: .init(
            "0 : le reçu est authentique.", "0: o recibo é autêntico.", "0：收據真實。", "0: Der Beleg ist echt."),
        .statusMalformed: .init(
            "21002 : receipt-data manque, n’est pas du base64 ou pas un reçu.",
            "21002: receipt-data falta, não é base64 ou não é um recibo.",
            "21002：缺少 receipt-data、不是 base64，或不是收據。", "21002: receipt-data fehlt, ist kein base64 oder kein Beleg."),
        .statusNotAuthentic: .init(
            "21003 : le reçu est signé sous une autre racine, ou a été modifié.",
            "21003: o recibo foi assinado sob outra raiz ou foi alterado.",
            "21003：收據由其他根憑證簽署，或遭更改。", "21003: Der Beleg wurde unter einem anderen Root signiert oder geändert."),
        .statusSecret: .init(
            "21004 : le secret partagé manque ou n’est pas celui de l’app.",
            "21004: o segredo compartilhado falta ou não é o do app.",
            "21004：缺少共享密鑰，或並非該 App 的。", "21004: Das Shared Secret fehlt oder ist nicht das der App."),
        .statusLater: .init(
            "%1 : la boutique ne peut pas répondre maintenant. Réessayez plus tard.",
            "%1: a loja não pode responder agora. Tente mais tarde.",
            "%1：商店目前無法回應。請稍後再試。", "%1: Der Store kann jetzt nicht antworten. Später erneut fragen."),
        .statusExpired: .init(
            "21006 : le reçu est authentique, mais son abonnement a expiré.",
            "21006: o recibo é autêntico, mas a assinatura expirou.",
            "21006：收據真實，但訂閱已到期。", "21006: Der Beleg ist echt, aber sein Abo ist abgelaufen."),
        .statusSandbox: .init(
            "21007 : un reçu de Sandbox a été envoyé à Production. Interrogez Sandbox.",
            "21007: um recibo de Sandbox foi enviado a Production. Consulte Sandbox.",
            "21007：Sandbox 的收據被傳送到 Production。請改向 Sandbox 查詢。",
            "21007: Ein Beleg von Sandbox ging an Production. Sandbox fragen."),
        .statusProduction: .init(
            "21008 : un reçu de Production a été envoyé à Sandbox. Interrogez Production.",
            "21008: um recibo de Production foi enviado a Sandbox. Consulte Production.",
            "21008：Production 的收據被傳送到 Sandbox。請改向 Production 查詢。",
            "21008: Ein Beleg von Production ging an Sandbox. Production fragen."),
        .statusAccount: .init(
            "21010 : le compte du client est introuvable ou supprimé.",
            "21010: a conta do cliente não foi encontrada ou foi excluída.",
            "21010：找不到顧客的帳號，或已刪除。", "21010: Das Konto des Kunden wurde nicht gefunden oder gelöscht."),
        .statusOther: .init(
            "%1 : un état qu’Apple ne documente pas.", "%1: um estado que a Apple não documenta.", "%1：Apple 未記載的狀態。",
            "%1: ein Status, den Apple nicht dokumentiert."),
    ]

    /// Tokens and keys.
    static let tokens: [InspectionFinding.Code: Translation] = [
        .headerLacks: .init("Il manque à l’en-tête : %1.", "Falta no cabeçalho: %1.", "標頭缺少 %1。", "Im Kopf fehlt %1."),
        .claimsThere: .init(
            "Toutes les revendications sont là.", "Todas as declarações estão presentes.", "所有聲明齊備。",
            "Alle Claims sind da."),
        .claimsMissing: .init(
            "Manque, ou d’un autre type : %1.", "Falta ou é de outro tipo: %1.", "缺少或類型不符：%1。",
            "Fehlt oder ist von anderem Typ: %1."),
        .audienceRight: .init("%1.", "%1.", "%1。", "%1."),
        .audienceWrong: .init(
            "aud est %1. Il faut : %2.", "aud é %1. O certo é: %2.", "aud 為 %1。正確為：%2。", "aud ist %1. Richtig ist: %2."),
        .tokenValid: .init("Valide jusqu’au %1.", "Válido até %1.", "有效至 %1。", "Gültig bis %1."),
        .tokenExpired: .init(
            "Expiré le %1, or nous sommes le %2. Créez un jeton par requête, ou renouvelez-le à temps.",
            "Expirou em %1, e agora é %2. Crie um token por solicitação ou renove a tempo.",
            "已於 %1 到期，而現在是 %2。請為每個要求產生權杖，或及時更新。",
            "Abgelaufen am %1, und es ist %2. Für jede Anfrage ein Token erzeugen oder rechtzeitig erneuern."),
        .tokenNotYetValid: .init(
            "Valide à partir du %1, or nous sommes le %2 : l’horloge de l’auteur avance.",
            "Válido a partir de %1, e agora é %2: o relógio de quem o fez está adiantado.",
            "自 %1 起有效，而現在是 %2：產生者的時鐘過快。", "Gültig ab %1, und es ist %2: Die Uhr des Erzeugers geht vor."),
        .tokenTooLong: .init(
            "Valide %1 minutes. %2 au plus sont permises.", "Válido por %1 minutos. No máximo %2 são permitidos.",
            "有效 %1 分鐘。最多允許 %2 分鐘。",
            "%1 Minuten gültig. Höchstens %2 sind erlaubt."),
        .timeInMilliseconds: .init(
            "%1 est en millisecondes. Les jetons comptent en secondes depuis 1970.",
            "%1 está em milissegundos. Tokens usam segundos desde 1970.",
            "%1 以毫秒為單位。權杖使用 1970 年起的秒數。", "%1 ist in Millisekunden. Token haben Sekunden seit 1970."),
        .keyKnown: .init(
            "Cette boutique a la clé %1.", "Esta loja tem a chave %1.", "此商店有金鑰 %1。",
            "Dieser Store hat den Schlüssel %1."),
        .keyUnknown: .init(
            "Cette boutique n’a pas de clé %1 : elle est d’une autre boutique, ou mal saisie.",
            "Esta loja não tem a chave %1: é de outra loja ou foi digitada errado.",
            "此商店沒有金鑰 %1：屬於其他商店，或 ID 有誤。",
            "Dieser Store hat keinen Schlüssel %1: Er gehört einem anderen Store oder ist vertippt."),
        .keyRevoked: .init(
            "La clé %1 a été révoquée le %2. Créez-en une autre.", "A chave %1 foi revogada em %2. Crie outra.",
            "金鑰 %1 已於 %2 撤銷。請另建金鑰。",
            "Der Schlüssel %1 wurde am %2 widerrufen. Einen anderen anlegen."),
        .keyOfOtherKind: .init(
            "La clé %1 est pour %2, et ceci pour %3.", "A chave %1 é para %2, e isto é para %3.",
            "金鑰 %1 用於 %2，而此處用於 %3。",
            "Der Schlüssel %1 ist für %2, und dies ist für %3."),
        .keyOfOtherApp: .init(
            "La clé %1 est de l’app %2, et ceci concerne %3.", "A chave %1 é do app %2, e isto é sobre %3.",
            "金鑰 %1 屬於 App %2，而此處關於 %3。",
            "Der Schlüssel %1 ist von der App %2, und dies betrifft %3."),
        .issuerRight: .init("%1.", "%1.", "%1。", "%1."),
        .issuerWrong: .init(
            "L’émetteur est %1. Il faut : %2.", "O emissor é %1. O certo é: %2.", "簽發者為 %1。正確為：%2。",
            "Der Aussteller ist %1. Richtig ist: %2."),
        .storeNeeded: .init(
            "Seule une boutique le sait, et aucune n’a été interrogée.", "Só uma loja sabe, e nenhuma foi consultada.",
            "只有商店知道，而未曾查詢。",
            "Nur ein Store weiß es, und keiner wurde gefragt."),
        .privateKeyPasted: .init(
            "C’est une clé privée. Ne collez ni n’envoyez de clé privée : révoquez-la si d’autres ont pu la voir. Elle n’est ni affichée ni conservée.",
            "É uma chave privada. Não cole nem envie chaves privadas: revogue-a se outros puderam vê-la. Não é exibida nem guardada.",
            "這是私密金鑰。私密金鑰不應貼上或傳送：若他人可能看到，請將其撤銷。它不會顯示或儲存。",
            "Es ist ein privater Schlüssel. Private Schlüssel nicht einfügen oder senden: widerrufen, wenn andere ihn sehen konnten. Er wird weder gezeigt noch behalten."
        ),
        .publicKeyPasted: .init(
            "C’est une clé publique, qui peut être montrée.", "É uma chave pública, que pode ser mostrada.",
            "這是公開金鑰，可以顯示。",
            "Es ist ein öffentlicher Schlüssel, der gezeigt werden darf."),
        .keyMatches: .init(
            "Elle appartient à la clé %1 de cette boutique.", "Pertence à chave %1 desta loja.", "屬於此商店的金鑰 %1。",
            "Er gehört zum Schlüssel %1 dieses Stores."),
        .keyMatchesNone: .init(
            "Elle n’appartient à aucune clé recherchée ici.", "Não pertence a nenhuma chave procurada aqui.",
            "不屬於此處查詢過的任何金鑰。",
            "Er gehört zu keinem hier gesuchten Schlüssel."),
        .signatureAlone: .init(
            "Une signature seule ne peut être vérifiée. Collez du JSON avec bundleID, productIdentifier, offerIdentifier, keyIdentifier, nonce, timestamp, applicationUsername et signature.",
            "Uma assinatura sozinha não pode ser verificada. Cole JSON com bundleID, productIdentifier, offerIdentifier, keyIdentifier, nonce, timestamp, applicationUsername e signature.",
            "單獨的簽章無法驗證。請貼上含 bundleID、productIdentifier、offerIdentifier、keyIdentifier、nonce、timestamp、applicationUsername 與 signature 的 JSON。",
            "Eine Signatur allein ist nicht prüfbar. JSON mit bundleID, productIdentifier, offerIdentifier, keyIdentifier, nonce, timestamp, applicationUsername und signature einfügen."
        ),
        .signatureStale: .init(
            "L’offre a été signée le %1, or nous sommes le %2. Une signature vaut 24 heures.",
            "A oferta foi assinada em %1, e agora é %2. Uma assinatura vale 24 horas.",
            "優惠簽署於 %1，而現在是 %2。簽章有效 24 小時。",
            "Das Angebot wurde am %1 signiert, und es ist %2. Eine Signatur gilt 24 Stunden."),
    ]
}
