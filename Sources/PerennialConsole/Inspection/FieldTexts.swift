import AppStoreFormats

/// The meanings of decoded fields, and of the codes in them, in the languages beside English.
enum FieldTexts {
    /// Returns the meaning of a field by its name; empty for one that Apple doesn't document.
    static func meaning(of name: String) -> Text {
        guard let english = FieldMeanings.all[name] else { return .none }
        guard let translation = signed[name] ?? receipts[name] ?? tokens[name] else { return .data(english) }
        return .phrase(translation.phrase(english))
    }

    /// Returns the name of a code; a date stays as it is.
    static func note(_ note: String) -> Text {
        names[note].map { .phrase($0.phrase(note)) } ?? .data(note)
    }

    /// The fields of tokens, requests and certificates.
    static let tokens: [String: InspectionTexts.Translation] = [
        "alg": .init(
            "Algorithme de la signature\u{202F}: ES256.", "Algoritmo da assinatura digital: ES256.", "簽章的演算法：ES256。",
            "Das Verfahren der Signatur: ES256."),
        "aud": .init("Audience du jeton.", "Público do token.", "權杖的對象。", "Der Empfänger des Tokens."),
        "exp": .init(
            "Moment où le jeton expire, en secondes depuis 1970.",
            "Momento em que o token expira, em segundos desde 1970.", "權杖到期的時間，自 1970 年起的秒數。",
            "Der Zeitpunkt, an dem das Token abläuft, in Sekunden seit 1970."),
        "iat": .init(
            "Moment où le jeton a été émis, en secondes depuis 1970.",
            "Momento em que o token foi emitido, em segundos desde 1970.", "權杖簽發的時間，自 1970 年起的秒數。",
            "Der Zeitpunkt, an dem das Token ausgestellt wurde, in Sekunden seit 1970."),
        "iss": .init(
            "Identifiant d’émetteur des clés de l’équipe.", "ID do emissor das chaves da equipe.", "團隊金鑰的簽發者 ID。",
            "Die Aussteller-ID der Schlüssel des Teams."),
        "kid": .init(
            "Identifiant de la clé qui signe.", "ID da chave que assina.", "簽署金鑰的 ID。",
            "Die ID des Schlüssels, der signiert."),
        "nbf": .init(
            "Moment à partir duquel le jeton est valable, en secondes depuis 1970.",
            "Momento a partir do qual o token vale, em segundos desde 1970.", "權杖開始有效的時間，自 1970 年起的秒數。",
            "Der Zeitpunkt, ab dem das Token gilt, in Sekunden seit 1970."),
        "nonce": .init(
            "UUID utilisé une seule fois.", "UUID usado uma única vez.", "僅使用一次的 UUID。",
            "Eine UUID, die einmal verwendet wird."),
        "scope": .init(
            "Requêtes auxquelles sert le jeton.", "Solicitações para as quais o token serve.", "權杖適用的要求。",
            "Die Anfragen, für die das Token gilt."),
        "sub": .init(
            "user, dans un jeton d’une clé individuelle.", "user, em um token de uma chave individual.",
            "個人金鑰的權杖中為 user。", "user, in einem Token eines individuellen Schlüssels."),
        "typ": .init("Toujours JWT.", "Sempre JWT.", "一律為 JWT。", "Immer JWT."),
        "x5c": .init(
            "Chaîne de certificats\u{202F}: feuille, intermédiaire, racine.",
            "Cadeia de certificados: folha, intermediário, raiz.", "憑證鏈：葉憑證、中繼憑證、根憑證。",
            "Die Zertifikatskette: Blatt, Zwischenzertifikat, Root."),
        "request": .init(
            "Requête Advanced Commerce, en base64.", "Solicitação Advanced Commerce, em base64.",
            "Advanced Commerce 要求（base64）。", "Die Advanced-Commerce-Anfrage, in Base64."),
        "operation": .init(
            "Opération de la requête Advanced Commerce.", "Operação da solicitação Advanced Commerce.",
            "Advanced Commerce 要求的操作。", "Die Operation der Advanced-Commerce-Anfrage."),
        "customerConsented": .init(
            "Indique si le client a accepté de fournir des données de consommation.",
            "Se o cliente consentiu em fornecer dados de consumo.", "顧客是否同意提供使用資料。",
            "Ob der Kunde zugestimmt hat, Nutzungsdaten zu liefern."),
        "consumptionStatus": .init(
            "Mesure dans laquelle le client a utilisé l’achat.", "Quanto o cliente consumiu da compra.", "顧客使用購買項目的程度。",
            "Wie weit der Kunde den Kauf verbraucht hat."),
        "deliveryStatus": .init(
            "Indique si l’app a livré un achat qui fonctionne.", "Se o app entregou uma compra que funciona.",
            "App 是否已交付正常運作的購買項目。", "Ob die App einen funktionierenden Kauf geliefert hat."),
        "refundPreference": .init(
            "Préférence du vendeur sur l’issue de la demande de remboursement.",
            "Preferência do vendedor quanto ao resultado do pedido de reembolso.", "賣家對退款要求結果的偏好。",
            "Der Wunsch des Verkäufers zum Ausgang des Erstattungsantrags."),
        "sampleContentProvided": .init(
            "Indique si un échantillon ou un essai gratuit a précédé l’achat.",
            "Se houve amostra ou teste gratuito antes da compra.", "購買前是否提供免費樣本或試用。",
            "Ob es vor dem Kauf eine kostenlose Probe gab."),
        "tokenCreationDate": .init(
            "Moment de la création du jeton, en millisecondes UNIX.",
            "Momento UNIX, em milissegundos, da criação do token.", "系統建立權杖的 UNIX 時間（毫秒）。",
            "Der UNIX-Zeitpunkt, an dem das Token entstand, in Millisekunden."),
        "keyIdentifier": .init(
            "Identifiant de la clé qui a signé l’offre.", "ID da chave que assinou a oferta.", "簽署優惠的金鑰 ID。",
            "Die ID des Schlüssels, der das Angebot signiert hat."),
        "timestamp": .init(
            "Moment de la signature de l’offre, en millisecondes UNIX.",
            "Momento UNIX, em milissegundos, da assinatura digital da oferta.", "簽署優惠的 UNIX 時間（毫秒）。",
            "Der UNIX-Zeitpunkt, an dem das Angebot signiert wurde, in Millisekunden."),
        "applicationUsername": .init(
            "Identifiant du client pour lequel l’offre a été signée.",
            "Identificador do cliente para quem a oferta foi assinada.", "優惠簽署對象的顧客識別碼。",
            "Die Kennung des Kunden, für den das Angebot signiert wurde."),
        "signature": .init("La signature.", "A assinatura digital.", "簽章。", "Die Signatur."),
        "serialNumber": .init(
            "Numéro que l’émetteur a donné au certificat.", "Número que o emissor deu ao certificado.", "簽發者給予憑證的編號。",
            "Die Nummer, die der Aussteller dem Zertifikat gegeben hat."),
        "subject": .init(
            "Titulaire du certificat.", "Titular do certificado.", "憑證的持有者。", "Der Inhaber des Zertifikats."),
        "issuer": .init(
            "Autorité qui a émis le certificat.", "Autoridade que emitiu o certificado.", "簽發憑證的機構。",
            "Die Stelle, die das Zertifikat ausgestellt hat."),
        "notBefore": .init(
            "Première seconde de validité du certificat.", "Primeiro segundo de validade do certificado.", "憑證有效的第一秒。",
            "Die erste Sekunde, in der das Zertifikat gilt."),
        "notAfter": .init(
            "Dernière seconde de validité du certificat.", "Último segundo de validade do certificado.", "憑證有效的最後一秒。",
            "Die letzte Sekunde, in der das Zertifikat gilt."),
    ]

    /// The names of codes.
    static let names: [String: InspectionTexts.Translation] = [
        "off": .init("désactivé", "desativada", "關閉", "aus"),
        "on": .init("activé", "ativada", "開啟", "an"),
        "the customer cancelled": .init(
            "le client a résilié", "o cliente cancelou", "顧客已取消", "der Kunde hat gekündigt"),
        "billing error": .init("erreur de facturation", "erro de cobrança", "帳單錯誤", "Abrechnungsfehler"),
        "no consent to a price increase": .init(
            "pas d’accord pour une hausse de prix", "sem consentimento para um aumento de preço", "未同意漲價",
            "keine Zustimmung zu einer Preiserhöhung"),
        "the product wasn't available": .init(
            "le produit n’était pas disponible", "o produto não estava disponível", "產品無法供應",
            "das Produkt war nicht verfügbar"),
        "other": .init("autre", "outro", "其他", "sonstiges"),
        "introductory": .init("offre de lancement", "introdutória", "推介優惠", "Einführungsangebot"),
        "promotional": .init("offre promotionnelle", "promocional", "促銷優惠", "Promotion-Angebot"),
        "offer code": .init("code d’offre", "código de oferta", "優惠代碼", "Angebotscode"),
        "win-back": .init("reconquête", "reconquista", "贏回優惠", "Win-back-Angebot"),
        "no answer yet": .init("pas encore de réponse", "ainda sem resposta", "尚未回應", "noch keine Antwort"),
        "consented, or no consent needed": .init(
            "accord donné, ou pas nécessaire", "consentiu, ou não é necessário", "已同意，或無須同意",
            "zugestimmt, oder Zustimmung nicht nötig"),
        "other reason": .init("autre raison", "outro motivo", "其他原因", "anderer Grund"),
        "an issue in the app": .init(
            "un problème dans l’app", "um problema no app", "App 內的問題", "ein Problem in der App"),
        "non-consumable": .init("non consommable", "não consumível", "非消耗性項目", "nicht verbrauchbar"),
        "consumable": .init("consommable", "consumível", "消耗性項目", "verbrauchbar"),
        "non-renewing subscription": .init(
            "abonnement sans renouvellement", "assinatura não renovável", "非續訂型訂閱項目", "nicht verlängertes Abonnement"),
        "auto-renewable subscription": .init(
            "abonnement à renouvellement automatique", "assinatura com renovação automática", "自動續訂型訂閱項目",
            "automatisch verlängertes Abonnement"),
        "active": .init("actif", "ativa", "有效", "aktiv"),
        "expired": .init("expiré", "expirada", "已到期", "abgelaufen"),
        "billing retry": .init(
            "nouvelle tentative de facturation", "nova tentativa de cobrança", "帳單重試", "erneuter Abrechnungsversuch"),
        "billing grace period": .init(
            "délai de grâce de la facturation", "período de tolerância da cobrança", "帳單寬限期",
            "Kulanzzeitraum der Abrechnung"),
        "revoked": .init("révoqué", "revogada", "已撤銷", "widerrufen"),
    ]
}
