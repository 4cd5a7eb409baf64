/// The meanings of fields of signed data, by name.
extension FieldTexts {
    static let signed: [String: InspectionTexts.Translation] = [
        "appAccountToken": .init(
            "UUID par lequel l’app désigne un client.", "UUID que o app associa a um cliente.", "App 用來對應顧客的 UUID。",
            "Eine UUID, die die App einem Kunden zuordnet."),
        "appAppleId": .init(
            "Identifiant unique de l’app dans l’App Store.", "Identificador único do app na App Store.",
            "App 在 App Store 中的唯一識別碼。", "Die eindeutige Kennung der App im App Store."),
        "appTransactionId": .init(
            "Identifiant unique du téléchargement de l’app.", "Identificador único do download do app.",
            "App 下載的唯一識別碼。", "Die eindeutige Kennung des Downloads der App."),
        "applicationVersion": .init(
            "Version de l’app que concerne la transaction.", "Versão do app a que a transação se aplica.",
            "App 交易適用的 App 版本。", "Die App-Version, für die die App-Transaktion gilt."),
        "autoRenewProductId": .init(
            "Identifiant du produit qui se renouvelle à la prochaine période.",
            "Identificador do produto que renova no próximo período.", "下一期續訂的產品識別碼。",
            "Die Kennung des Produkts, das sich als Nächstes verlängert."),
        "autoRenewStatus": .init(
            "État du renouvellement de l’abonnement.", "Estado da renovação automática da assinatura.",
            "自動續訂型訂閱項目的續訂狀態。", "Der Verlängerungsstatus des Abonnements."),
        "billingPlanType": .init(
            "Formule de facturation de l’abonnement.", "Plano de cobrança da assinatura.", "訂閱項目的計費方案。",
            "Der Abrechnungsplan des Abonnements."),
        "bundleId": .init(
            "Identifiant de lot de l’app.", "ID do pacote do app.", "App 的套件 ID。", "Die Bundle-ID der App."),
        "bundleVersion": .init(
            "Version du build qui désigne une itération du lot.",
            "Versão do build que identifica uma iteração do pacote.", "識別套件版次的 build 版本。",
            "Die Version des Builds, die einen Stand des Bundles bezeichnet."),
        "commitmentInfo": .init(
            "Engagement dont fait partie une formule mensuelle.", "Compromisso do qual um plano mensal faz parte.",
            "每月計費方案所屬的約期。", "Die Bindung, zu der ein monatlicher Abrechnungsplan gehört."),
        "consumptionRequestReason": .init(
            "Raison de la demande de remboursement du client.", "Motivo do pedido de reembolso do cliente.",
            "顧客要求退款的原因。", "Der Grund, aus dem der Kunde die Erstattung beantragt hat."),
        "currency": .init(
            "Code ISO 4217 de trois lettres de la devise du prix.", "Código ISO 4217 de três letras da moeda do preço.",
            "價格貨幣的三字母 ISO 4217 代碼。", "Der dreibuchstabige ISO-4217-Code der Währung des Preises."),
        "data": .init(
            "Métadonnées de l’app et informations signées sur la transaction et le renouvellement.",
            "Metadados do app e informações assinadas da transação e da renovação.", "App 中繼資料，以及已簽署的續訂與交易資訊。",
            "Metadaten der App und die signierten Angaben zu Verlängerung und Transaktion."),
        "deviceVerification": .init(
            "Valeur qui montre si l’appareil est celui pour lequel elle a été faite.",
            "Valor para verificar se o dispositivo é aquele para o qual foi feito.", "用於判斷是否為原裝置的值。",
            "Der Wert, mit dem man prüft, ob es das Gerät ist, für das er gemacht wurde."),
        "deviceVerificationNonce": .init(
            "UUID utilisé pour calculer la valeur de vérification de l’appareil.",
            "UUID usado para calcular o valor de verificação do dispositivo.", "用於計算裝置驗證值的 UUID。",
            "Die UUID, mit der der Wert der Geräteprüfung berechnet wird."),
        "eligibleWinBackOfferIds": .init(
            "Offres de reconquête auxquelles le client a droit.", "Ofertas de reconquista a que o cliente tem direito.",
            "顧客符合資格的贏回優惠。", "Die Win-back-Angebote, die dem Kunden zustehen."),
        "environment": .init(
            "Environnement du serveur, Sandbox ou Production.", "Ambiente do servidor, Sandbox ou Production.",
            "伺服器環境：Sandbox 或 Production。", "Die Umgebung des Servers, Sandbox oder Production."),
        "expirationIntent": .init(
            "Raison de l’expiration d’un abonnement.", "Motivo pelo qual uma assinatura expirou.", "訂閱到期的原因。",
            "Der Grund, aus dem ein Abonnement abgelaufen ist."),
        "expiresDate": .init(
            "Moment, en millisecondes UNIX, où l’abonnement expire ou se renouvelle.",
            "Momento UNIX, em milissegundos, em que a assinatura expira ou renova.", "訂閱到期或續訂的 UNIX 時間（毫秒）。",
            "Der UNIX-Zeitpunkt in Millisekunden, an dem das Abonnement abläuft oder sich verlängert."),
        "externalPurchaseId": .init(
            "Identifiant unique d’un jeton d’achat externe.", "Identificador único de um token de compra externa.",
            "外部購買權杖的唯一識別碼。", "Die eindeutige Kennung eines Tokens für externe Käufe."),
        "gracePeriodExpiresDate": .init(
            "Fin du délai de grâce de la facturation.", "Fim do período de tolerância da cobrança.", "帳單寬限期的到期時間。",
            "Der Zeitpunkt, an dem der Kulanzzeitraum der Abrechnung endet."),
        "inAppOwnershipType": .init(
            "Indique si le client l’a acheté ou l’a par partage familial.",
            "Se o cliente comprou ou tem por Compartilhamento Familiar.", "由顧客購買或透過家人共享取得。",
            "Ob der Kunde es gekauft hat oder über die Familienfreigabe hat."),
        "isInBillingRetryPeriod": .init(
            "Indique si l’App Store tente de renouveler un abonnement expiré.",
            "Se a App Store está tentando renovar uma assinatura expirada.", "App Store 是否正嘗試續訂已到期的訂閱。",
            "Ob der App Store versucht, ein abgelaufenes Abonnement zu verlängern."),
        "isUpgraded": .init(
            "Indique si le client est passé à un abonnement supérieur.",
            "Se o cliente fez upgrade para outra assinatura.", "顧客是否已升級到其他訂閱。",
            "Ob der Kunde auf ein anderes Abonnement gewechselt hat."),
        "notificationType": .init(
            "Type de l’événement qui a causé la notification.", "Tipo do evento que causou a notificação.",
            "App Store 傳送通知的事件類型。", "Die Art des Ereignisses, für das der App Store die Mitteilung gesendet hat."),
        "notificationUUID": .init(
            "Identifiant unique de la notification.", "Identificador único da notificação.", "通知的唯一識別碼。",
            "Die eindeutige Kennung der Mitteilung."),
        "offerDiscountType": .init(
            "Mode de paiement de l’offre.", "Forma de pagamento da oferta.", "優惠的付款模式。", "Die Zahlungsart des Angebots."
        ),
        "offerIdentifier": .init(
            "Identifiant du code d’offre ou de l’offre promotionnelle.",
            "Identificador do código de oferta ou da oferta promocional.", "優惠代碼或促銷優惠的識別碼。",
            "Die Kennung des Angebotscodes oder des Promotion-Angebots."),
        "offerPeriod": .init(
            "Durée de l’offre, en ISO 8601.", "Duração da oferta, em ISO 8601.", "優惠的期間（ISO 8601）。",
            "Die Dauer des Angebots nach ISO 8601."),
        "offerType": .init(
            "Type de l’offre d’abonnement.", "Tipo da oferta de assinatura.", "訂閱優惠的類型。", "Die Art des Abo-Angebots."),
        "originalApplicationVersion": .init(
            "Version de l’app que le client a achetée à l’origine.",
            "Versão do app que o cliente comprou originalmente.", "顧客最初購買的 App 版本。",
            "Die App-Version, die der Kunde ursprünglich gekauft hat."),
        "originalPlatform": .init(
            "Plateforme sur laquelle le client a acheté l’app à l’origine.",
            "Plataforma em que o cliente comprou o app originalmente.", "顧客最初購買 App 的平台。",
            "Die Plattform, auf der der Kunde die App ursprünglich gekauft hat."),
        "originalPurchaseDate": .init(
            "Moment de l’achat d’origine, en millisecondes UNIX.",
            "Momento UNIX, em milissegundos, da compra original.", "原始購買的 UNIX 時間（毫秒）。",
            "Der UNIX-Zeitpunkt des ursprünglichen Kaufs in Millisekunden."),
        "originalTransactionId": .init(
            "Identifiant de transaction de l’achat d’origine.", "Identificador da transação da compra original.",
            "原始購買的交易識別碼。", "Die Transaktionskennung des ursprünglichen Kaufs."),
        "preorderDate": .init(
            "Date à laquelle le client a précommandé l’app.",
            "Data em que o cliente encomendou o app antes do lançamento.", "顧客在發行前預購 App 的日期。",
            "Der Tag, an dem der Kunde die App vorbestellt hat."),
        "previousOriginalTransactionId": .init(
            "Transaction d’origine avant une migration de l’abonnement.",
            "Transação original antes de uma migração da assinatura.", "訂閱移轉前的原始交易。",
            "Die ursprüngliche Transaktion vor einem Umzug des Abonnements."),
        "price": .init(
            "Prix à l’achat, en millièmes de l’unité de la devise.",
            "Preço na compra, em milésimos da unidade da moeda.", "購買時的價格，以貨幣單位的千分之一計。",
            "Der Preis beim Kauf, in Tausendsteln der Währungseinheit."),
        "priceIncreaseStatus": .init(
            "Indique si le client a répondu à une hausse de prix.", "Se o cliente respondeu a um aumento de preço.",
            "顧客是否已回應漲價。", "Ob der Kunde auf eine Preiserhöhung geantwortet hat."),
        "productId": .init(
            "Identifiant du produit.", "Identificador do produto.", "產品的識別碼。", "Die Kennung des Produkts."),
        "purchaseDate": .init(
            "Moment du débit, en millisecondes UNIX.",
            "Momento UNIX, em milissegundos, em que a App Store cobrou o cliente.", "App Store 向顧客扣款的 UNIX 時間（毫秒）。",
            "Der UNIX-Zeitpunkt der Abbuchung in Millisekunden."),
        "quantity": .init(
            "Nombre de produits consommables achetés.", "Número de produtos consumíveis comprados.", "購買的消耗性產品數量。",
            "Die Zahl der gekauften verbrauchbaren Produkte."),
        "receiptCreationDate": .init(
            "Date à laquelle l’App Store a signé la transaction de l’app.",
            "Data em que a App Store assinou a transação do app.", "App Store 簽署 App 交易的日期。",
            "Der Zeitpunkt, an dem der App Store die App-Transaktion signiert hat."),
        "receiptType": .init(
            "Environnement du serveur qui signe la transaction de l’app.",
            "Ambiente do servidor que assina a transação do app.", "簽署 App 交易的伺服器環境。",
            "Die Umgebung des Servers, der die App-Transaktion signiert."),
        "recentSubscriptionStartDate": .init(
            "Premier début d’une suite d’abonnements, sans compter les interruptions de 60 jours.",
            "Primeiro início de uma série de assinaturas que ignora pausas de 60 dias.", "一連串訂閱的最早開始時間，忽略 60 天內的中斷。",
            "Der früheste Beginn einer Reihe von Abonnements, Lücken von 60 Tagen nicht gerechnet."),
        "renewalDate": .init(
            "Moment, en millisecondes UNIX, où le dernier abonnement se renouvelle ou expire.",
            "Momento UNIX, em milissegundos, em que a assinatura mais recente renova ou expira.",
            "最近的訂閱續訂或到期的 UNIX 時間（毫秒）。",
            "Der UNIX-Zeitpunkt in Millisekunden, an dem das letzte Abonnement sich verlängert oder abläuft."),
        "renewalPrice": .init(
            "Prix du prochain renouvellement, en millièmes de l’unité de la devise.",
            "Preço da próxima renovação, em milésimos da unidade da moeda.", "下次續訂的價格，以貨幣單位的千分之一計。",
            "Der Preis der nächsten Verlängerung, in Tausendsteln der Währungseinheit."),
        "requestIdentifier": .init(
            "Identifiant unique de la demande.", "Identificador único do pedido.", "要求的唯一識別碼。",
            "Die eindeutige Kennung der Anfrage."),
        "revocationDate": .init(
            "Moment du remboursement ou de la révocation, en millisecondes UNIX.",
            "Momento UNIX, em milissegundos, do reembolso ou da revogação.", "App Store 退款或撤銷交易的 UNIX 時間（毫秒）。",
            "Der UNIX-Zeitpunkt der Erstattung oder des Widerrufs in Millisekunden."),
        "revocationPercentage": .init(
            "Part remboursée, en millièmes de pour cent.", "Parte reembolsada, em milésimos de por cento.",
            "退款的比例，以千分之一百分點計。", "Der erstattete Anteil, in Tausendsteln eines Prozents."),
        "revocationReason": .init(
            "Raison du remboursement ou de la révocation.", "Motivo do reembolso ou da revogação da transação.",
            "App Store 退款或撤銷交易的原因。", "Der Grund, aus dem die Transaktion erstattet oder widerrufen wurde."),
        "revocationType": .init(
            "Type du remboursement ou de la révocation.", "Tipo do reembolso ou da revogação.", "退款或撤銷的類型。",
            "Die Art der Erstattung oder des Widerrufs."),
        "signedDate": .init(
            "Moment de la signature, en millisecondes UNIX.",
            "Momento UNIX, em milissegundos, da assinatura digital dos dados.", "App Store 簽署資料的 UNIX 時間（毫秒）。",
            "Der UNIX-Zeitpunkt der Signatur in Millisekunden."),
        "signedPayload": .init(
            "Contenu au format JWS, signé par l’App Store.", "Conteúdo em formato JWS, assinado pela App Store.",
            "App Store 簽署的 JWS 格式內容。", "Der Inhalt im JWS-Format, vom App Store signiert."),
        "signedRenewalInfo": .init(
            "Informations de renouvellement signées par l’App Store, au format JWS.",
            "Informações de renovação assinadas pela App Store, em formato JWS.", "App Store 簽署的訂閱續訂資訊（JWS 格式）。",
            "Angaben zur Verlängerung, vom App Store signiert, im JWS-Format."),
        "signedTransactionInfo": .init(
            "Informations sur la transaction signées par l’App Store, au format JWS.",
            "Informações da transação assinadas pela App Store, em formato JWS.", "App Store 簽署的交易資訊（JWS 格式）。",
            "Angaben zur Transaktion, vom App Store signiert, im JWS-Format."),
        "status": .init(
            "État de l’abonnement, ou de la réponse de verifyReceipt.",
            "Estado da assinatura ou da resposta de verifyReceipt.", "訂閱的狀態，或 verifyReceipt 回應的狀態。",
            "Der Status des Abonnements oder der Antwort von verifyReceipt."),
        "storefront": .init(
            "Code de trois lettres du pays ou de la région de la boutique.",
            "Código de três letras do país ou região da loja.", "App Store 店面國家或地區的三字母代碼。",
            "Der dreibuchstabige Code des Landes oder der Region des Stores."),
        "storefrontId": .init(
            "Valeur d’Apple qui désigne la boutique.", "Valor da Apple que identifica a loja.", "Apple 用來識別店面的值。",
            "Der Wert, mit dem Apple den Store bezeichnet."),
        "subscriptionGroupIdentifier": .init(
            "Identifiant du groupe d’abonnements.", "Identificador do grupo de assinaturas.", "訂閱項目群組的識別碼。",
            "Die Kennung der Abogruppe."),
        "subtype": .init(
            "Précision sur l’événement de la notification.", "Informação adicional sobre o evento da notificação.",
            "通知事件的附加資訊。", "Zusätzliche Angabe zum Ereignis der Mitteilung."),
        "summary": .init(
            "Résumé d’une demande de prolongation des renouvellements.",
            "Resumo de um pedido de extensão das renovações.", "延長訂閱續訂日期要求的摘要。",
            "Die Zusammenfassung einer Anfrage, Verlängerungstermine aufzuschieben."),
        "transactionId": .init(
            "Identifiant unique de la transaction.", "Identificador único da transação.", "交易的唯一識別碼。",
            "Die eindeutige Kennung der Transaktion."),
        "transactionReason": .init(
            "Raison de la transaction\u{202F}: achat d’un client ou renouvellement.",
            "Motivo da transação: compra de um cliente ou renovação.", "交易的原因：顧客購買或續訂。",
            "Der Grund der Transaktion: Kauf eines Kunden oder Verlängerung."),
        "type": .init(
            "Type de l’achat intégré.", "Tipo da compra dentro do app.", "App 內購買項目的類型。", "Die Art des In-App-Kaufs."),
        "userLocale": .init(
            "Langue et région du client.", "Idioma e região do cliente.", "顧客的語言與地區設定。",
            "Sprache und Region des Kunden."),
        "version": .init(
            "Version de la notification.", "Versão da notificação.", "通知的版本。", "Die Version der Mitteilung."),
        "versionExternalIdentifier": .init(
            "Identifiant de la version de l’app dans l’App Store.", "Identificador da versão do app na App Store.",
            "App 版本在 App Store 中的識別碼。", "Die Kennung der App-Version im App Store."),
        "webOrderLineItemId": .init(
            "Identifiant unique des événements d’achat d’abonnement, renouvellements compris.",
            "Identificador único dos eventos de compra de assinatura, incluindo renovações.", "訂閱購買事件（含續訂）的唯一識別碼。",
            "Die eindeutige Kennung von Abo-Käufen, auch von Verlängerungen."),
    ]
}
