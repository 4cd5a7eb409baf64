import Perennial

/// The words of the pages about keys, secrets and certificates.
enum KeyPhrases {
    static let keys = Phrase("Keys", fr: "Clés", pt: "Chaves", zh: "金鑰", de: "Schlüssel")
    static let keyID = Phrase("Key ID", fr: "Identifiant de clé", pt: "ID da chave", zh: "金鑰 ID", de: "Schlüssel-ID")
    static let keyIDMeaning = Phrase(
        "The kid in the header of a token.", fr: "Le kid de l’en-tête d’un jeton.",
        pt: "O kid do cabeçalho de um token.",
        zh: "權杖標頭中的 kid。", de: "Das kid im Kopf eines Tokens.")
    static let issuerID = Phrase(
        "Issuer ID", fr: "Identifiant d’émetteur", pt: "ID do emissor", zh: "簽發者 ID", de: "Aussteller-ID")
    static let issuerIDMeaning = Phrase(
        "The iss in the claims of a token, the same for all keys.",
        fr: "Le iss des revendications d’un jeton, identique pour toutes les clés.",
        pt: "O iss das declarações de um token, igual para todas as chaves.", zh: "權杖聲明中的 iss，所有金鑰皆相同。",
        de: "Das iss in den Claims eines Tokens, für alle Schlüssel gleich.")
    static let opens = Phrase("For", fr: "Pour", pt: "Para", zh: "用途", de: "Für")
    static let roles = Phrase("Roles", fr: "Rôles", pt: "Funções", zh: "職務", de: "Rollen")
    static let user = Phrase("User", fr: "Utilisateur", pt: "Usuário", zh: "使用者", de: "Benutzer")
    static let created = Phrase("Created", fr: "Création", pt: "Criação", zh: "建立日期", de: "Angelegt")
    static let lastUse = Phrase(
        "Last use", fr: "Dernière utilisation", pt: "Último uso", zh: "上次使用", de: "Zuletzt benutzt")
    static let lastUseMeaning = Phrase(
        "Recorded to the minute for keys of the App Store Connect API.",
        fr: "Enregistrée à la minute près pour les clés de l’App Store Connect API.",
        pt: "Registrado com precisão de minuto para chaves da App Store Connect API.",
        zh: "僅記錄 App Store Connect API 金鑰，精確至分鐘。",
        de: "Für Schlüssel der App Store Connect API auf die Minute festgehalten.")
    static let valid = Phrase("Valid", fr: "Valide", pt: "Válida", zh: "有效", de: "Gültig")
    static let revoked = Phrase("Revoked", fr: "Révoquée", pt: "Revogada", zh: "已撤銷", de: "Widerrufen")
    static let revoke = Phrase("Revoke", fr: "Révoquer", pt: "Revogar", zh: "撤銷", de: "Widerrufen …")
    static let noKeys = Phrase(
        "There is no key yet. Servers sign their requests with one.",
        fr: "Il n’y a pas encore de clé. Les serveurs signent leurs requêtes avec une clé.",
        pt: "Ainda não há chave. Os servidores assinam suas solicitações com uma.", zh: "尚無金鑰。伺服器以金鑰簽署要求。",
        de: "Noch gibt es keinen Schlüssel. Server signieren ihre Anfragen damit.")
    static let createForApp = Phrase(
        "Create a key for this app", fr: "Créer une clé pour cette app", pt: "Criar uma chave para este app",
        zh: "為此 App 建立金鑰", de: "Schlüssel für diese App anlegen")
    static let createForTeam = Phrase(
        "Create a key of the App Store Connect API", fr: "Créer une clé de l’App Store Connect API",
        pt: "Criar uma chave da App Store Connect API", zh: "建立 App Store Connect API 金鑰",
        de: "Schlüssel der App Store Connect API anlegen")
    static let createAndDownload = Phrase(
        "Create and download", fr: "Créer et télécharger", pt: "Criar e baixar", zh: "建立並下載", de: "Anlegen und laden")
    static let downloadHint = Phrase(
        "The private key (.p8) is downloaded this once. The store keeps the public key only.",
        fr: "La clé privée (.p8) est téléchargée cette seule fois. La boutique ne garde que la clé publique.",
        pt: "A chave privada (.p8) é baixada só desta vez. A loja guarda apenas a chave pública.",
        zh: "私密金鑰（.p8）僅可下載這一次。商店只保存公開金鑰。",
        de: "Der private Schlüssel (.p8) wird nur dieses eine Mal geladen. Der Store behält nur den öffentlichen.")
    static let roleNeeded = Phrase(
        "A key has at least one role.", fr: "Une clé a au moins un rôle.", pt: "Uma chave tem ao menos uma função.",
        zh: "金鑰至少需有一個職務。", de: "Ein Schlüssel hat mindestens eine Rolle.")
    static let revokeWarning = Phrase(
        "Servers that sign with this key are refused from now on. It can’t be undone.",
        fr: "Les serveurs qui signent avec cette clé sont refusés dès maintenant. C’est irréversible.",
        pt: "Servidores que assinam com esta chave são recusados a partir de agora. Não pode ser desfeito.",
        zh: "使用此金鑰簽署的伺服器將立即被拒絕，且無法復原。",
        de:
            "Server, die mit diesem Schlüssel signieren, werden ab sofort abgelehnt. Das lässt sich nicht rückgängig machen."
    )
    static let confirmationWrong = Phrase(
        "Type %1 to confirm.", fr: "Saisissez %1 pour confirmer.", pt: "Digite %1 para confirmar.", zh: "請輸入 %1 以確認。",
        de: "Zum Bestätigen %1 eingeben.")
    static let isRevoked = Phrase(
        "The key %1 is revoked.", fr: "La clé %1 est révoquée.", pt: "A chave %1 foi revogada.", zh: "已撤銷金鑰 %1。",
        de: "Der Schlüssel %1 ist widerrufen.")

    // MARK: - Shared secret

    static let sharedSecret = Phrase(
        "Shared Secret", fr: "Secret partagé", pt: "Segredo compartilhado", zh: "共享密鑰", de: "Shared Secret der App")
    static let appSpecific = Phrase(
        "App-Specific Shared Secret", fr: "Secret partagé propre à l’app",
        pt: "Segredo compartilhado específico do app",
        zh: "App 專用共享密鑰", de: "App-spezifisches Shared Secret")
    static let secretMeaning = Phrase(
        "verifyReceipt asks for it as password where a receipt has auto-renewable subscriptions.",
        fr: "verifyReceipt le demande comme password si un reçu contient des abonnements à renouvellement automatique.",
        pt: "verifyReceipt o exige como password quando um recibo tem assinaturas com renovação automática.",
        zh: "收據含自動續訂訂閱時，verifyReceipt 需要以它作為 password。",
        de: "verifyReceipt verlangt es als password, wenn ein Beleg automatisch verlängerbare Abos enthält.")
    static let noSecret = Phrase(
        "This app has no shared secret.", fr: "Cette app n’a pas de secret partagé.",
        pt: "Este app não tem segredo compartilhado.", zh: "此 App 沒有共享密鑰。", de: "Diese App hat kein Shared Secret.")
    static let generate = Phrase("Generate", fr: "Générer", pt: "Gerar", zh: "產生", de: "Erzeugen")
    static let regenerate = Phrase("Regenerate", fr: "Régénérer", pt: "Gerar novamente", zh: "重新產生", de: "Neu erzeugen")
    static let regenerateWarning = Phrase(
        "The secret shown here stops working at once, in all environments: verifyReceipt answers 21004 to servers that "
            + "still send it.",
        fr:
            "Le secret affiché cesse aussitôt de fonctionner, dans tous les environnements : verifyReceipt répond 21004 aux serveurs qui l’envoient encore.",
        pt:
            "O segredo exibido para de funcionar imediatamente, em todos os ambientes: verifyReceipt responde 21004 a servidores que ainda o enviam.",
        zh: "目前的密鑰將在所有環境立即失效：仍傳送它的伺服器會收到 verifyReceipt 的 21004。",
        de:
            "Das gezeigte Shared Secret gilt sofort nicht mehr, in allen Umgebungen: verifyReceipt antwortet Servern, die es noch senden, 21004."
    )
    static let secretMade = Phrase(
        "The app has a new shared secret.", fr: "L’app a un nouveau secret partagé.",
        pt: "O app tem um novo segredo compartilhado.", zh: "App 已有新的共享密鑰。", de: "Die App hat ein neues Shared Secret.")
    static let trySecret = Phrase(
        "Try it", fr: "L’essayer", pt: "Experimentar", zh: "試用", de: "Ausprobieren")

    static func kind(_ kind: APIKey.Kind) -> Phrase {
        switch kind {
        case .serverAPI: serverAPI
        case .connectAPI: connectAPI
        case .promotionalOffer: promotionalOffer
        }
    }

    private static let serverAPI = Phrase(
        "App Store Server API and offers", fr: "App Store Server API et offres", pt: "App Store Server API e ofertas",
        zh: "App Store Server API 與優惠", de: "App Store Server API und Angebote")
    private static let connectAPI = Phrase(
        "App Store Connect API", fr: "API App Store Connect", pt: "API App Store Connect",
        zh: "App Store Connect 的 API",
        de: "API von App Store Connect")
    private static let promotionalOffer = Phrase(
        "Promotional offers", fr: "Offres promotionnelles", pt: "Ofertas promocionais", zh: "促銷優惠", de: "Werbeangebote")
}
