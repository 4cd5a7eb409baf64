/// The meanings of fields of receipts, by name.
extension FieldTexts {
    static let receipts: [String: InspectionTexts.Translation] = [
        "adam_id": .init("Identique à app_item_id.", "Igual a app_item_id.", "與 app_item_id 相同。", "Wie app_item_id."),
        "age_rating": .init(
            "Classification par âge de l’app (attribut 10).", "Classificação etária do app (atributo 10).",
            "App 的年齡分級（屬性 10）。", "Die Altersfreigabe der App (Attribut 10)."),
        "app_item_id": .init(
            "Identifiant de l’app dans l’App Store\u{202F}; 0 dans la Sandbox (attribut 1).",
            "Identificador do app na App Store; 0 na Sandbox (atributo 1).", "App 在 App Store 的識別碼，Sandbox 中為 0（屬性 1）。",
            "Die Kennung der App im App Store; 0 in der Sandbox (Attribut 1)."),
        "application_version": .init(
            "CFBundleVersion de l’app (attribut 3).", "CFBundleVersion do app (atributo 3).",
            "App 的 CFBundleVersion（屬性 3）。", "CFBundleVersion der App (Attribut 3)."),
        "auto_renew_product_id": .init(
            "Produit qui se renouvelle à la prochaine période.", "Produto que renova no próximo período.", "下一期續訂的產品。",
            "Das Produkt, das sich als Nächstes verlängert."),
        "auto_renew_status": .init(
            "État du renouvellement de l’abonnement.", "Estado da renovação automática da assinatura.",
            "自動續訂型訂閱項目的續訂狀態。", "Der Verlängerungsstatus des Abonnements."),
        "bundle_id": .init(
            "Identifiant de lot de l’app (attribut 2).", "ID do pacote do app (atributo 2).", "App 的套件 ID（屬性 2）。",
            "Die Bundle-ID der App (Attribut 2)."),
        "bid": .init("Identifiant de lot de l’app.", "ID do pacote do app.", "App 的套件 ID。", "Die Bundle-ID der App."),
        "bvrs": .init(
            "CFBundleVersion de l’app.", "CFBundleVersion do app.", "App 的 CFBundleVersion。", "CFBundleVersion der App."
        ),
        "cancellation_date": .init(
            "Moment du remboursement ou de la révocation (attribut 1712).",
            "Momento do reembolso ou da revogação (atributo 1712).", "App Store 退款或撤銷購買的時間（屬性 1712）。",
            "Der Zeitpunkt der Erstattung oder des Widerrufs (Attribut 1712)."),
        "cancellation_reason": .init(
            "Raison du remboursement (attribut 1720).", "Motivo do reembolso (atributo 1720).", "退款的原因（屬性 1720）。",
            "Der Grund der Erstattung (Attribut 1720)."),
        "download_id": .init(
            "Identifiant unique du téléchargement de l’app\u{202F}; 0 dans la Sandbox (attribut 15).",
            "Identificador único do download do app; 0 na Sandbox (atributo 15).", "App 下載的唯一識別碼，Sandbox 中為 0（屬性 15）。",
            "Die eindeutige Kennung des Downloads der App; 0 in der Sandbox (Attribut 15)."),
        "exclude-old-transactions": .init(
            "Indique si seul le dernier renouvellement de chaque abonnement est renvoyé.",
            "Se só a última renovação de cada assinatura é devolvida.", "是否只傳回每個訂閱的最新續訂。",
            "Ob nur die letzte Verlängerung jedes Abonnements kommt."),
        "expiration_date": .init(
            "Moment où expire le reçu d’un achat en volume (attribut 21).",
            "Momento em que expira o recibo de uma compra em volume (atributo 21).", "大量採購收據的到期時間（屬性 21）。",
            "Der Zeitpunkt, an dem der Beleg eines Mengenkaufs abläuft (Attribut 21)."),
        "expiration_intent": .init(
            "Raison de l’expiration d’un abonnement.", "Motivo pelo qual uma assinatura expirou.", "訂閱到期的原因。",
            "Der Grund, aus dem ein Abonnement abgelaufen ist."),
        "expires_date": .init(
            "Moment où l’abonnement expire ou se renouvelle (attribut 1708).",
            "Momento em que a assinatura expira ou renova (atributo 1708).", "訂閱到期或續訂的時間（屬性 1708）。",
            "Der Zeitpunkt, an dem das Abonnement abläuft oder sich verlängert (Attribut 1708)."),
        "in_app": .init(
            "Achats intégrés (attribut 17).", "Compras dentro do app (atributo 17).", "App 內購買項目（屬性 17）。",
            "Die In-App-Käufe (Attribut 17)."),
        "is_in_billing_retry_period": .init(
            "Indique si l’App Store tente de renouveler un abonnement expiré.",
            "Se a App Store está tentando renovar uma assinatura expirada.", "App Store 是否正嘗試續訂已到期的訂閱。",
            "Ob der App Store versucht, ein abgelaufenes Abonnement zu verlängern."),
        "is_in_intro_offer_period": .init(
            "Indique si l’abonnement est en période de prix de lancement (attribut 1719).",
            "Se a assinatura está em período de preço introdutório (atributo 1719).", "訂閱是否處於推介價格期（屬性 1719）。",
            "Ob das Abonnement im Zeitraum eines Einführungspreises ist (Attribut 1719)."),
        "is_trial_period": .init(
            "Indique si l’abonnement est en essai gratuit (attribut 1713).",
            "Se a assinatura está em teste gratuito (atributo 1713).", "訂閱是否處於免費試用期（屬性 1713）。",
            "Ob das Abonnement in einer kostenlosen Probe ist (Attribut 1713)."),
        "latest_receipt": .init(
            "Dernier reçu, en base64.", "Recibo mais recente, em base64.", "最新的收據（base64）。",
            "Der neueste Beleg, in Base64."),
        "latest_receipt_info": .init(
            "Dernières transactions de tous les abonnements.", "Transações mais recentes de todas as assinaturas.",
            "所有訂閱的最新交易。", "Die neuesten Transaktionen aller Abonnements."),
        "opaque_value": .init(
            "Sel de l’empreinte de l’appareil (attribut 4).", "Sal do hash do dispositivo (atributo 4).",
            "裝置雜湊的鹽值（屬性 4）。", "Das Salz des Geräte-Hashs (Attribut 4)."),
        "original_application_version": .init(
            "Version de l’app achetée en premier (attribut 19).", "Versão do app comprada primeiro (atributo 19).",
            "最初購買的 App 版本（屬性 19）。", "Die Version der App, die zuerst gekauft wurde (Attribut 19)."),
        "original_purchase_date": .init(
            "Moment de l’achat d’origine (attributs 18 et 1706).", "Momento da compra original (atributos 18 e 1706).",
            "原始購買的時間（屬性 18 與 1706）。", "Der Zeitpunkt des ursprünglichen Kaufs (Attribute 18 und 1706)."),
        "original_transaction_id": .init(
            "Identifiant de transaction de l’achat d’origine (attribut 1705).",
            "Identificador da transação da compra original (atributo 1705).", "原始購買的交易識別碼（屬性 1705）。",
            "Die Transaktionskennung des ursprünglichen Kaufs (Attribut 1705)."),
        "password": .init(
            "Secret partagé de l’app.", "Segredo compartilhado do app.", "App 的共享密鑰。", "Das Shared Secret der App."),
        "pending_renewal_info": .init(
            "Informations de renouvellement de chaque abonnement.", "Informações de renovação de cada assinatura.",
            "各自動續訂型訂閱項目的續訂資訊。", "Angaben zur Verlängerung jedes Abonnements."),
        "preorder_date": .init(
            "Moment où le client a précommandé l’app (attribut 32).",
            "Momento em que o cliente encomendou o app (atributo 32).", "顧客預購 App 的時間（屬性 32）。",
            "Der Zeitpunkt, an dem der Kunde die App vorbestellt hat (Attribut 32)."),
        "product_id": .init(
            "Identifiant du produit (attribut 1702).", "Identificador do produto (atributo 1702).", "產品的識別碼（屬性 1702）。",
            "Die Kennung des Produkts (Attribut 1702)."),
        "product_type": .init(
            "Type du produit (attribut 1707).", "Tipo do produto (atributo 1707).", "產品的類型（屬性 1707）。",
            "Die Art des Produkts (Attribut 1707)."),
        "promotional_offer_id": .init(
            "Identifiant de l’offre d’abonnement utilisée (attribut 1721).",
            "Identificador da oferta de assinatura usada (atributo 1721).", "所使用訂閱優惠的識別碼（屬性 1721）。",
            "Die Kennung des verwendeten Abo-Angebots (Attribut 1721)."),
        "purchase_date": .init(
            "Moment du débit (attribut 1704).", "Momento em que a App Store cobrou o cliente (atributo 1704).",
            "App Store 向顧客扣款的時間（屬性 1704）。", "Der Zeitpunkt der Abbuchung (Attribut 1704)."),
        "receipt-data": .init("Reçu, en base64.", "Recibo, em base64.", "收據（base64）。", "Der Beleg, in Base64."),
        "receipt_creation_date": .init(
            "Moment où l’App Store a créé le reçu (attribut 12).",
            "Momento em que a App Store gerou o recibo (atributo 12).", "App Store 產生收據的時間（屬性 12）。",
            "Der Zeitpunkt, an dem der App Store den Beleg erzeugt hat (Attribut 12)."),
        "receipt_type": .init(
            "Environnement et type de l’achat de l’app (attribut 0).", "Ambiente e tipo da compra do app (atributo 0).",
            "App 購買的環境與類型（屬性 0）。", "Umgebung und Art des Kaufs der App (Attribut 0)."),
        "request_date": .init(
            "Moment de la demande à verifyReceipt.", "Momento em que verifyReceipt foi consultado.",
            "呼叫 verifyReceipt 的時間。", "Der Zeitpunkt der Anfrage an verifyReceipt."),
        "sha1_hash": .init(
            "SHA-1 de l’appareil, du sel et de l’identifiant de lot, qui lie le reçu à un appareil (attribut 5).",
            "SHA-1 do dispositivo, do sal e do ID do pacote, que liga o recibo a um dispositivo (atributo 5).",
            "裝置、鹽值與套件 ID 的 SHA-1，將收據綁定至裝置（屬性 5）。",
            "SHA-1 aus Gerät, Salz und Bundle-ID, das den Beleg an ein Gerät bindet (Attribut 5)."),
        "transaction_id": .init(
            "Identifiant unique de la transaction (attribut 1703).",
            "Identificador único da transação (atributo 1703).", "交易的唯一識別碼（屬性 1703）。",
            "Die eindeutige Kennung der Transaktion (Attribut 1703)."),
        "version_external_identifier": .init(
            "Identifiant de la version de l’app dans l’App Store (attribut 16).",
            "Identificador da versão do app na App Store (atributo 16).", "App 版本在 App Store 的識別碼（屬性 16）。",
            "Die Kennung der App-Version im App Store (Attribut 16)."),
        "web_order_line_item_id": .init(
            "Identifiant des événements d’achat d’abonnement (attribut 1711).",
            "Identificador dos eventos de compra de assinatura (atributo 1711).", "訂閱購買事件的識別碼（屬性 1711）。",
            "Die Kennung von Abo-Käufen (Attribut 1711)."),
        "unified_receipt": .init(
            "Dernières transactions et informations de renouvellement.",
            "Transações mais recentes e informações de renovação.", "最新的交易與續訂資訊。",
            "Die neuesten Transaktionen und Angaben zur Verlängerung."),
        "notification_type": .init(
            "Événement d’abonnement qui a causé la notification.", "Evento de assinatura que causou a notificação.",
            "觸發通知的訂閱事件。", "Das Abo-Ereignis, das die Mitteilung ausgelöst hat."),
    ]
}
