import AppStoreFormats

/// The sentences of inspections in the languages beside English, whose text the inspection has.
enum InspectionTexts {
    /// French, Portuguese, Chinese and German.
    struct Translation {
        let texts: (fr: String, pt: String, zh: String, de: String)

        init(_ fr: String, _ pt: String, _ zh: String, _ de: String) { texts = (fr, pt, zh, de) }

        func phrase(_ english: String) -> Phrase {
            .init(english, fr: texts.fr, pt: texts.pt, zh: texts.zh, de: texts.de)
        }
    }

    /// Returns a finding in the visitor's language.
    static func text(_ finding: InspectionFinding) -> Text {
        .phrase(phrase(finding.code), finding.arguments.map { .data($0) })
    }

    /// A test finds codes without a translation.
    static func phrase(_ code: InspectionFinding.Code) -> Phrase {
        let translation = encodings[code] ?? certificates[code] ?? contents[code] ?? tokens[code]
        return (translation ?? Translation(code.template, code.template, code.template, code.template))
            .phrase(code.template)
    }

    static func has(_ code: InspectionFinding.Code) -> Bool {
        encodings[code] != nil || certificates[code] != nil || contents[code] != nil || tokens[code] != nil
    }

    static func phrase(_ name: Inspection.Check.Name) -> Phrase {
        let translation: Translation =
            switch name {
            case .encoding: .init("Encodage", "Codificação", "編碼", "Codierung")
            case .structure: .init("Structure", "Estrutura", "結構", "Aufbau")
            case .algorithm: .init("Algorithme", "Algoritmo", "演算法", "Algorithmus")
            case .certificateOrder:
                .init("Ordre des certificats", "Ordem dos certificados", "憑證順序", "Reihenfolge der Zertifikate")
            case .chain: .init("Chaîne de certificats", "Cadeia de certificados", "憑證鏈", "Zertifikatskette")
            case .root: .init("Certificat racine", "Certificado raiz", "根憑證", "Root-Zertifikat")
            case .markers:
                .init("Extensions de marquage", "Extensões de marcação", "標記延伸", "Kennzeichnende Erweiterungen")
            case .validity:
                .init("Validité des certificats", "Validade dos certificados", "憑證有效期", "Gültigkeit der Zertifikate")
            case .revocation: .init("Révocation", "Revogação", "撤銷", "Widerruf")
            case .signature: .init("Signature", "Assinatura digital", "簽章", "Signatur")
            case .contents: .init("Contenu", "Conteúdo", "內容", "Inhalt")
            case .signingTime: .init("Date de signature", "Data da assinatura digital", "簽署日期", "Datum der Signatur")
            case .environment: .init("Environnement", "Ambiente", "環境", "Umgebung")
            case .bundleID: .init("Identifiant de lot", "ID do pacote", "套件 ID", "Bundle-ID")
            case .device: .init("Appareil", "Dispositivo", "裝置", "Gerät")
            case .sharedSecret: .init("Secret partagé", "Segredo compartilhado", "共享密鑰", "Shared Secret")
            case .claims: .init("Revendications", "Declarações", "聲明", "Claims")
            case .audience: .init("Audience", "Público", "對象", "Empfänger")
            case .lifetime: .init("Durée de validité", "Período de validade", "有效期間", "Gültigkeitsdauer")
            case .key: .init("Clé", "Chave", "金鑰", "Schlüssel")
            case .issuer: .init("Émetteur", "Emissor", "簽發者", "Aussteller")
            case .known: .init("Dans cette boutique", "Nesta loja", "在此商店中", "In diesem Store")
            case .status: .init("État", "Estado", "狀態", "Status")
            }
        return translation.phrase(name.title)
    }

    static func phrase(_ kind: Inspection.Kind) -> Phrase {
        let translation: Translation =
            switch kind {
            case .appReceipt: .init("Reçu d’app", "Recibo do app", "App 收據", "App-Beleg")
            case .transactionReceipt:
                .init(
                    "Reçu de transaction, ancienne forme", "Recibo de transação na forma antiga", "舊式交易收據",
                    "Transaktionsbeleg der alten Form")
            case .verifyReceiptRequest:
                .init(
                    "Requête à verifyReceipt", "Solicitação a verifyReceipt", "verifyReceipt 要求",
                    "Anfrage an verifyReceipt")
            case .verifyReceiptAnswer:
                .init(
                    "Réponse de verifyReceipt", "Resposta de verifyReceipt", "verifyReceipt 回應",
                    "Antwort von verifyReceipt")
            case .signedTransaction:
                .init(
                    "Transaction signée (JWSTransaction)", "Transação assinada (JWSTransaction)",
                    "已簽署的交易（JWSTransaction）", "Signierte Transaktion (JWSTransaction)")
            case .signedRenewalInfo:
                .init(
                    "Informations de renouvellement signées (JWSRenewalInfo)",
                    "Informações de renovação assinadas (JWSRenewalInfo)", "已簽署的續訂資訊（JWSRenewalInfo）",
                    "Signierte Verlängerungsdaten (JWSRenewalInfo)")
            case .signedNotification:
                .init(
                    "Contenu signé d’une notification serveur", "Conteúdo assinado de uma notificação do servidor",
                    "伺服器通知的已簽署內容", "Signierter Inhalt einer Servermitteilung")
            case .signedAppTransaction:
                .init(
                    "Transaction d’app signée (JWSAppTransaction)", "Transação de app assinada (JWSAppTransaction)",
                    "已簽署的 App 交易（JWSAppTransaction）", "Signierte App-Transaktion (JWSAppTransaction)")
            case .signedRealtimeRequest:
                .init(
                    "Requête en temps réel signée, messages de rétention",
                    "Solicitação em tempo real assinada, mensagens de retenção", "已簽署的即時要求（留存訊息）",
                    "Signierte Echtzeitanfrage für Retention-Nachrichten")
            case .signedData:
                .init("Données signées (JWS)", "Dados assinados (JWS)", "已簽署的資料（JWS）", "Signierte Daten (JWS)")
            case .notification:
                .init(
                    "Notification serveur, version 2", "Notificação do servidor, versão 2", "伺服器通知，第 2 版",
                    "Servermitteilung, Version 2")
            case .notificationV1:
                .init(
                    "Notification serveur, version 1", "Notificação do servidor, versão 1", "伺服器通知，第 1 版",
                    "Servermitteilung, Version 1")
            case .decodedPayload: .init("Contenu décodé", "Conteúdo decodificado", "已解碼的內容", "Decodierter Inhalt")
            case .serverAPIAnswer:
                .init(
                    "JSON avec données signées", "JSON com dados assinados", "含已簽署資料的 JSON", "JSON mit signierten Daten"
                )
            case .serverAPIToken:
                .init(
                    "Jeton de l’App Store Server API", "Token da App Store Server API", "App Store Server API 權杖",
                    "Token der App Store Server API")
            case .connectToken:
                .init(
                    "Jeton de l’App Store Connect API", "Token da App Store Connect API", "App Store Connect API 權杖",
                    "Token der App Store Connect API")
            case .offerToken: .init("Jeton d’une offre", "Token de uma oferta", "優惠權杖", "Token eines Angebots")
            case .advancedCommerceToken:
                .init(
                    "Jeton Advanced Commerce", "Token de Advanced Commerce", "Advanced Commerce 權杖",
                    "Token von Advanced Commerce")
            case .offerSignature:
                .init(
                    "Signature d’une offre promotionnelle", "Assinatura digital de uma oferta promocional", "促銷優惠簽章",
                    "Signatur eines Werbeangebots")
            case .consumptionRequest:
                .init("Informations de consommation", "Informações de consumo", "消耗資訊", "Verbrauchsdaten")
            case .externalPurchaseToken:
                .init("Jeton d’achat externe", "Token de compra externa", "外部購買權杖", "Token eines externen Kaufs")
            case .advancedCommerceRequest:
                .init(
                    "Requête Advanced Commerce", "Solicitação de Advanced Commerce", "Advanced Commerce 要求",
                    "Anfrage von Advanced Commerce")
            case .privateKey: .init("Clé privée", "Chave privada", "私密金鑰", "Privater Schlüssel")
            case .publicKey: .init("Clé publique", "Chave pública", "公開金鑰", "Öffentlicher Schlüssel")
            case .certificate: .init("Certificat", "Certificado", "憑證", "Zertifikat")
            case .certificateChain: .init("Chaîne de certificats", "Cadeia de certificados", "憑證鏈", "Zertifikatskette")
            case .sharedSecret: .init("Secret partagé", "Segredo compartilhado", "共享密鑰", "Shared Secret")
            case .storeKitFile:
                .init(
                    "Fichier de configuration StoreKit", "Arquivo de configuração do StoreKit", "StoreKit 設定檔",
                    "StoreKit-Konfigurationsdatei")
            case .report: .init("Fichier de rapport", "Arquivo de relatório", "報告檔案", "Berichtsdatei")
            case .transactionID: .init("Identifiant de transaction", "ID da transação", "交易 ID", "Transaktions-ID")
            case .orderID: .init("Numéro de commande", "ID do pedido", "訂單 ID", "Bestellnummer")
            case .uuid: .init("UUID", "UUID", "UUID", "UUID")
            case .curlCommand: .init("Commande curl", "Comando do curl", "curl 指令", "Befehl von curl")
            case .propertyList:
                .init("Liste de propriétés", "Lista de propriedades", "屬性列表", "Property-Liste")
            case .json: .init("JSON", "JSON", "JSON", "JSON")
            case .unknown: .init("Non reconnu", "Não reconhecido", "無法辨識", "Nicht erkannt")
            }
        return translation.phrase(kind.title)
    }
}
