/// Texts of the pages of products.
enum ProductPhrases {
    static let localizations = Phrase(
        "Localizations", fr: "Localisations", pt: "Localizações", zh: "當地語系版本", de: "Lokalisierungen")
    static let localization = Phrase(
        "Localization", fr: "Localisation", pt: "Localização", zh: "當地語系版本", de: "Lokalisierung")
    static let period = Phrase(
        "Subscription Duration", fr: "Durée de l’abonnement", pt: "Duração da assinatura", zh: "訂閱期間", de: "Abodauer")
    static let availability = Phrase(
        "Availability", fr: "Disponibilité", pt: "Disponibilidade", zh: "供應狀況", de: "Verfügbarkeit")
    static let screenshot = Phrase(
        "Review Screenshot", fr: "Capture d’écran pour la vérification", pt: "Captura de tela para revisão",
        zh: "審查用截圖",
        de: "Screenshot für die Prüfung")
    static let referenceName = Phrase(
        "Reference Name", fr: "Nom de référence", pt: "Nome de referência", zh: "參考名稱", de: "Referenzname")
    static let referenceNameHint = Phrase(
        "Only you see it: in lists and reports.", fr: "Visible par vous seul, dans les listes et les rapports.",
        pt: "Só você vê: em listas e relatórios.", zh: "僅你可見，用於列表和報告。", de: "Nur für Sie, in Listen und Berichten.")
    static let productID = Phrase(
        "Product ID", fr: "Identifiant du produit", pt: "ID do produto", zh: "產品 ID", de: "Produkt-ID")
    static let productIDHint = Phrase(
        "Such as %1. It can’t be changed, and is never used again.",
        fr: "Par exemple %1. Il est définitif et ne sera jamais réutilisé.",
        pt: "Por exemplo %1. Não pode ser alterado nem reutilizado.", zh: "例如 %1。無法更改，也不會重複使用。",
        de: "Etwa %1. Sie ist endgültig und wird nie wieder vergeben.")
    static let appleID = Phrase("Apple ID", fr: "Identifiant Apple", pt: "ID Apple", zh: "Apple ID", de: "Apple-ID")
    static let group = Phrase(
        "Subscription Group", fr: "Groupe d’abonnements", pt: "Grupo de assinaturas", zh: "訂閱項目群組", de: "Abogruppe")
    static let newGroup = Phrase(
        "New Subscription Group", fr: "Nouveau groupe d’abonnements", pt: "Novo grupo de assinaturas", zh: "新的訂閱項目群組",
        de: "Neue Abogruppe")
    static let newGroupHint = Phrase(
        "Fill in instead of choosing one.", fr: "À remplir au lieu d’en choisir un.",
        pt: "Preencha em vez de escolher um.",
        zh: "若不選擇現有群組，請在此填寫。", de: "Ausfüllen, statt eine zu wählen.")
    static let level = Phrase("Level", fr: "Niveau", pt: "Nível", zh: "等級", de: "Stufe")
    static let levelHint = Phrase(
        "1 is the highest service of the group.", fr: "1 est le service le plus élevé du groupe.",
        pt: "1 é o serviço mais alto do grupo.", zh: "1 為群組中最高等級的服務。", de: "1 ist der höchste Dienst der Gruppe.")
    static let familySharing = Phrase(
        "Family Sharing", fr: "Partage familial", pt: "Compartilhamento Familiar", zh: "家人共享", de: "Familienfreigabe")
    static let familySharingHint = Phrase(
        "It can’t be turned off again.", fr: "Elle ne peut plus être désactivée.",
        pt: "Não pode ser desativado depois.",
        zh: "開啟後無法關閉。", de: "Sie lässt sich nicht wieder ausschalten.")
    static let reviewNote = Phrase(
        "Review Notes", fr: "Notes de vérification", pt: "Notas de revisão", zh: "審查備註", de: "Hinweise zur Prüfung")
    static let taxCategory = Phrase(
        "Tax Category", fr: "Catégorie fiscale", pt: "Categoria fiscal", zh: "稅務類別", de: "Steuerkategorie")
    static let displayName = Phrase(
        "Display Name", fr: "Nom affiché", pt: "Nome de exibição", zh: "顯示名稱", de: "Anzeigename")
    static let description = Phrase("Description", fr: "Description", pt: "Descrição", zh: "描述", de: "Beschreibung")
    static let customersSee = Phrase(
        "Customers see it on the App Store.", fr: "Visible par les clients sur l’App Store.",
        pt: "Os clientes veem na App Store.", zh: "顧客會在 App Store 上看到。", de: "Kunden sehen das im App Store.")
    static let priceHint = Phrase(
        "In %1, of %2. Other storefronts pay the equal price.",
        fr: "En %1, pour %2. Les autres boutiques appliquent le prix équivalent.",
        pt: "Em %1, de %2. As outras lojas pagam o preço equivalente.", zh: "以 %1 計價（%2），其他店面採用等值價格。",
        de: "In %1, für %2. Andere Stores zahlen den gleichwertigen Preis.")
    static let newProduct = Phrase(
        "New In-App Purchase", fr: "Nouvel achat intégré", pt: "Nova compra dentro do app", zh: "新的 App 內購買項目",
        de: "Neuer In-App-Kauf")
    static let chooseType = Phrase(
        "Choose the type. It can’t be changed.", fr: "Choisissez le type. Il est définitif.",
        pt: "Escolha o tipo. Ele não pode ser alterado.", zh: "請選擇類型，之後無法更改。",
        de: "Wählen Sie die Art. Sie ist endgültig.")
    static let noProducts = Phrase(
        "No in-app purchases yet.", fr: "Aucun achat intégré pour l’instant.",
        pt: "Ainda não há compras dentro do app.",
        zh: "尚無 App 內購買項目。", de: "Noch keine In-App-Käufe.")
    static let noMatch = Phrase(
        "No in-app purchase matches.", fr: "Aucun achat intégré ne correspond.",
        pt: "Nenhuma compra dentro do app corresponde.",
        zh: "沒有符合的 App 內購買項目。", de: "Kein In-App-Kauf passt.")
    static let created = Phrase(
        "%1 was created.", fr: "%1 a été créé.", pt: "%1 foi criado.", zh: "已建立 %1。", de: "%1 wurde angelegt.")
    static let deleted = Phrase(
        "%1 was deleted.", fr: "%1 a été supprimé.", pt: "%1 foi excluído.", zh: "已刪除 %1。", de: "%1 wurde gelöscht.")
    static let searchHint = Phrase(
        "Name or product ID", fr: "Nom ou identifiant", pt: "Nome ou ID", zh: "名稱或產品 ID", de: "Name oder Produkt-ID")
    static let toSale = Phrase(
        "To Get It on Sale", fr: "Pour le mettre en vente", pt: "Para colocá-lo à venda", zh: "上架販售所需步驟",
        de: "Bis zum Verkauf")
    static let complete = Phrase("Complete", fr: "Compléter", pt: "Completar", zh: "補齊", de: "Ergänzen")
    static let rejection = Phrase(
        "Reason for the Rejection", fr: "Motif du refus", pt: "Motivo da rejeição", zh: "拒絕原因",
        de: "Grund der Ablehnung")
    static let offers = Phrase("Offers", fr: "Offres", pt: "Ofertas", zh: "優惠", de: "Angebote")
    static let content = Phrase("Content", fr: "Contenu", pt: "Conteúdo", zh: "內容", de: "Inhalte")
    static let history = Phrase("History", fr: "Historique", pt: "Histórico", zh: "歷程記錄", de: "Verlauf")
    static let everywhere = Phrase(
        "All storefronts", fr: "Toutes les boutiques", pt: "Todas as lojas", zh: "所有店面", de: "Alle Stores")
    static let storefrontCount = Phrase(
        "%1 storefronts", fr: "%1 boutiques", pt: "%1 lojas", zh: "%1 個店面", de: "%1 Stores")
    static let notOnSale = Phrase(
        "Not on sale", fr: "Pas en vente", pt: "Fora de venda", zh: "未販售", de: "Nicht im Verkauf")
    static let term = Phrase("Term", fr: "Durée", pt: "Prazo", zh: "使用期限", de: "Laufzeit")
    static let termDefinition = Phrase(
        "From the catalog, or from the product ID. The App Store knows no term of this type.",
        fr: "Du catalogue ou de l’identifiant du produit. L’App Store ne connaît pas la durée de ce type.",
        pt: "Do catálogo ou do ID do produto. A App Store não conhece prazo para este tipo.",
        zh: "來自目錄或產品 ID。App Store 對此類型沒有期限設定。",
        de: "Aus dem Katalog oder der Produkt-ID. Der App Store kennt für diese Art keine Laufzeit.")
    static let deleteProduct = Phrase(
        "Delete In-App Purchase", fr: "Supprimer l’achat intégré", pt: "Excluir compra dentro do app",
        zh: "刪除 App 內購買項目", de: "In-App-Kauf löschen")
    static let deleteWarning = Phrase(
        "%1 can’t be sold any more, and its product ID is never used again. Customers keep what they bought.",
        fr: "%1 ne sera plus vendu et son identifiant ne sera jamais réutilisé. Les clients conservent leurs achats.",
        pt: "%1 não será mais vendido e seu ID nunca será reutilizado. Os clientes mantêm o que compraram.",
        zh: "%1 將無法再販售，其產品 ID 也不會重複使用。顧客仍保有已購買的項目。",
        de:
            "%1 wird nicht mehr verkauft, und die Produkt-ID wird nie wieder vergeben. Kunden behalten, was sie gekauft haben."
    )
    static let deleteLocalization = Phrase(
        "Delete Localization", fr: "Supprimer la localisation", pt: "Excluir localização", zh: "刪除當地語系版本",
        de: "Lokalisierung löschen")
    static let versionState = Phrase(
        "Version %1: %2", fr: "Version %1\u{202F}: %2", pt: "Versão %1: %2", zh: "版本 %1：%2", de: "Version %1: %2")
    static let draftOpens = Phrase(
        "Customers see the approved texts until the next review.",
        fr: "Les clients voient les textes approuvés jusqu’à la prochaine vérification.",
        pt: "Os clientes veem os textos aprovados até a próxima revisão.", zh: "在下次審查通過前，顧客看到的是已核准的文字。",
        de: "Kunden sehen die genehmigten Texte bis zur nächsten Prüfung.")
    static let noLocalizations = Phrase(
        "No localization yet. Add one in the app’s primary language first.",
        fr: "Aucune localisation. Ajoutez d’abord la langue principale de l’app.",
        pt: "Ainda não há localização. Adicione primeiro o idioma principal do app.", zh: "尚無當地語系版本，請先加入 App 的主要語言。",
        de: "Noch keine Lokalisierung. Fügen Sie zuerst die Hauptsprache der App hinzu.")
}
