/// Refusals about edits of products, groups and apps.
extension RefusalSentences {
    static let catalog: [Phrase] = [
        Phrase(
            "An app has %1 products at most.", fr: "Une app a %1 produits au plus.",
            pt: "Um app tem no máximo %1 produtos.", zh: "一個 App 最多 %1 個產品。",
            de: "Eine App hat höchstens %1 Produkte."),
        Phrase(
            "You must provide a value for the attribute '%1' with this request",
            fr: "«\u{202F}%1\u{202F}» est obligatoire.", pt: "“%1” é obrigatório.", zh: "「%1」為必填。",
            de: "„%1“ muss angegeben werden."),
        Phrase(
            "You must provide a value for the relationship '%1' with this request",
            fr: "«\u{202F}%1\u{202F}» est obligatoire.", pt: "“%1” é obrigatório.", zh: "「%1」為必填。",
            de: "„%1“ muss angegeben werden."),
        Phrase(
            "The attribute '%1' has %2 characters, and at most %3 are allowed.",
            fr: "«\u{202F}%1\u{202F}» compte %2 caractères\u{202F}; %3 au plus sont permis.",
            pt: "“%1” tem %2 caracteres; são permitidos no máximo %3.", zh: "「%1」有 %2 個字元，最多 %3 個。",
            de: "„%1“ hat %2 Zeichen; höchstens %3 sind erlaubt."),
        Phrase(
            "The attribute '%1' has control characters.",
            fr: "«\u{202F}%1\u{202F}» contient des caractères de contrôle.", pt: "“%1” contém caracteres de controle.",
            zh: "「%1」含有控制字元。", de: "„%1“ enthält Steuerzeichen."),
        Phrase(
            "The attribute '%1' can't contain the character U+%2, which changes the direction of text.",
            fr: "«\u{202F}%1\u{202F}» ne peut pas contenir le caractère U+%2, qui change le sens du texte.",
            pt: "“%1” não pode conter o caractere U+%2, que muda a direção do texto.",
            zh: "「%1」不得含有會改變文字方向的字元 U+%2。",
            de: "„%1“ darf das Zeichen U+%2 nicht enthalten, das die Richtung des Textes ändert."),
        Phrase(
            "The numbers of versions are 1 to %1, in ascending order.",
            fr: "Les numéros des versions vont de 1 à %1, en ordre croissant.",
            pt: "Os números das versões vão de 1 a %1, em ordem crescente.", zh: "版本編號須為 1 到 %1，由小到大。",
            de: "Die Nummern der Versionen reichen von 1 bis %1, aufsteigend."),
        Phrase(
            "The product ID '%1' must be %2.", fr: "L’identifiant «\u{202F}%1\u{202F}» n’est pas valide. Il faut %2.",
            pt: "O ID “%1” não é válido. São necessários %2.", zh: "產品 ID「%1」無效，須為%2。",
            de: "Die Produkt-ID „%1“ ist ungültig. Erlaubt sind %2."),
        Phrase(
            "A level is %1, the highest service, to %2, not %3.",
            fr: "Un niveau va de %1, le plus élevé, à %2\u{202F}; %3 n’en est pas un.",
            pt: "Um nível vai de %1, o mais alto, a %2; %3 não é válido.", zh: "等級為 %1（最高）到 %2，不能是 %3。",
            de: "Eine Stufe geht von %1, der höchsten, bis %2; %3 ist keine."),
        Phrase(
            "The period %1 is none of %2.", fr: "La période %1 n’est pas proposée\u{202F}; choisissez parmi %2.",
            pt: "O período %1 não é oferecido; escolha entre %2.", zh: "期間 %1 無效，可選 %2。",
            de: "Den Zeitraum %1 gibt es nicht; wählen Sie unter %2."),
        Phrase(
            "The period of a subscription can't be changed after it was submitted.",
            fr: "La période d’un abonnement ne change plus une fois qu’il a été soumis.",
            pt: "O período de uma assinatura não pode mudar depois do envio.", zh: "訂閱項目送審後，期間無法更改。",
            de: "Der Zeitraum eines Abos kann nach der Einreichung nicht mehr geändert werden."),
        Phrase(
            "Offers paid as you go have the subscription's period %1: delete them before you change it.",
            fr:
                "Des offres payées à l’utilisation ont la période de l’abonnement, %1\u{202F}: supprimez-les avant de la changer.",
            pt: "Há ofertas de pague conforme o uso com o período da assinatura, %1: exclua-as antes de mudá-lo.",
            zh: "有隨用隨付優惠採用訂閱項目的期間 %1，請先刪除這些優惠再更改。",
            de: "Angebote mit laufender Zahlung haben den Zeitraum des Abos, %1: Löschen Sie sie, bevor Sie ihn ändern."
        ),
        Phrase(
            "Only an auto-renewable subscription has the attribute '%1'.",
            fr: "Seul un abonnement à renouvellement automatique a «\u{202F}%1\u{202F}».",
            pt: "Só uma assinatura com renovação automática tem “%1”.", zh: "只有自動續訂型訂閱項目有「%1」。",
            de: "Nur ein automatisch verlängertes Abonnement hat „%1“."),
        Phrase(
            "Only a subscription of one year has a monthly plan.",
            fr: "Seul un abonnement d’un an peut être payé chaque mois.",
            pt: "Só uma assinatura de um ano tem plano mensal.", zh: "只有一年期訂閱項目有每月方案。",
            de: "Nur ein Jahresabo hat einen monatlichen Plan."),
        Phrase(
            "Family Sharing can't be turned off.", fr: "Le partage familial ne peut pas être désactivé.",
            pt: "O Compartilhamento Familiar não pode ser desativado.", zh: "家人共享無法關閉。",
            de: "Die Familienfreigabe lässt sich nicht ausschalten."),
        Phrase(
            "Family Sharing can't be turned on after the product was approved.",
            fr: "Le partage familial ne peut plus être activé après l’approbation du produit.",
            pt: "O Compartilhamento Familiar não pode ser ativado depois da aprovação do produto.",
            zh: "產品核准後無法開啟家人共享。",
            de: "Die Familienfreigabe lässt sich nach der Genehmigung des Produkts nicht mehr einschalten."),
        Phrase(
            "Only non-consumables and auto-renewable subscriptions can be shared with the family.",
            fr:
                "Seuls les achats non consommables et les abonnements à renouvellement automatique peuvent être partagés en famille.",
            pt:
                "Só itens não consumíveis e assinaturas com renovação automática podem ser compartilhados com a família.",
            zh: "只有非消耗性項目和自動續訂型訂閱項目可與家人共享。",
            de:
                "Nur nicht verbrauchbare Käufe und automatisch verlängerte Abonnements können in der Familie geteilt werden."
        ),
        Phrase(
            "The product %1 is in a submission: withdraw it before you delete it.",
            fr: "Le produit %1 est en cours de vérification\u{202F}: retirez-le avant de le supprimer.",
            pt: "O produto %1 está em um envio: retire-o antes de excluí-lo.", zh: "產品 %1 正在送審，請先撤回再刪除。",
            de: "Das Produkt %1 ist eingereicht: Ziehen Sie es zurück, bevor Sie es löschen."),
        Phrase(
            "The product %1 is approved: remove it from sale in all storefronts before you delete it.",
            fr:
                "Le produit %1 est approuvé\u{202F}: retirez-le de la vente dans toutes les boutiques avant de le supprimer.",
            pt: "O produto %1 está aprovado: retire-o da venda em todas as lojas antes de excluí-lo.",
            zh: "產品 %1 已核准，請先在所有店面停售再刪除。",
            de: "Das Produkt %1 ist genehmigt: Nehmen Sie es in allen Stores aus dem Verkauf, bevor Sie es löschen."),
        Phrase(
            "Version %1 is a draft already: edit it, or submit it first.",
            fr: "La version %1 est déjà un brouillon\u{202F}: modifiez-la ou soumettez-la d’abord.",
            pt: "A versão %1 já é um rascunho: edite-a ou envie-a primeiro.", zh: "版本 %1 已是草稿，請編輯或先送審。",
            de: "Version %1 ist schon ein Entwurf: Bearbeiten Sie ihn oder reichen Sie ihn zuerst ein."),
        Phrase(
            "Version %1 is %2: its texts can't be edited until it is reviewed or withdrawn.",
            fr:
                "La version %1 a l’état «\u{202F}%2\u{202F}»\u{202F}: ses textes ne changent pas avant la fin de la vérification ou le retrait.",
            pt: "A versão %1 está “%2”: os textos não podem ser editados até a revisão terminar ou ela ser retirada.",
            zh: "版本 %1 狀態為「%2」，審查完成或撤回前無法編輯文字。",
            de:
                "Version %1 hat den Status „%2“: Ihre Texte lassen sich erst nach der Prüfung oder dem Rückzug bearbeiten."
        ),
        Phrase(
            "Version %1 is %2: only one in PREPARE_FOR_SUBMISSION can be edited.",
            fr:
                "La version %1 a l’état «\u{202F}%2\u{202F}»\u{202F}; seule une version en préparation peut être modifiée.",
            pt: "A versão %1 está “%2”; só uma em preparação pode ser editada.", zh: "版本 %1 狀態為「%2」，只有準備送審的版本可編輯。",
            de: "Version %1 hat den Status „%2“; nur eine in Vorbereitung lässt sich bearbeiten."),
        Phrase(
            "Version %1 is not in valid state: it is %2.",
            fr: "La version %1 a l’état «\u{202F}%2\u{202F}», qui ne le permet pas.",
            pt: "A versão %1 está “%2”, o que não permite isto.", zh: "版本 %1 狀態為「%2」，無法執行此操作。",
            de: "Version %1 hat den Status „%2“, der das nicht erlaubt."),
        Phrase(
            "The locale '%1' is not one of App Store Connect's.",
            fr: "«\u{202F}%1\u{202F}» n’est pas une langue d’App Store Connect.",
            pt: "“%1” não é um idioma do App Store Connect.", zh: "「%1」不是 App Store Connect 的語言。",
            de: "„%1“ ist keine Sprache von App Store Connect."),
        Phrase(
            "There is no version with id '%1'.", fr: "Il n’y a pas de version «\u{202F}%1\u{202F}».",
            pt: "Não há a versão “%1”.", zh: "沒有版本「%1」。", de: "Es gibt keine Version „%1“."),
        Phrase(
            "There is a localization for the locale '%1' already.",
            fr: "Il y a déjà une localisation pour «\u{202F}%1\u{202F}».", pt: "Já existe uma localização para “%1”.",
            zh: "「%1」已有當地語系版本。", de: "Für „%1“ gibt es schon eine Lokalisierung."),
        Phrase(
            "The last localization can't be deleted after an approval.",
            fr: "La dernière localisation ne peut pas être supprimée après une approbation.",
            pt: "A última localização não pode ser excluída depois de uma aprovação.", zh: "核准後無法刪除最後一個當地語系版本。",
            de: "Die letzte Lokalisierung kann nach einer Genehmigung nicht gelöscht werden."),
        Phrase(
            "There is no localization with id '%1'.", fr: "Il n’y a pas de localisation «\u{202F}%1\u{202F}».",
            pt: "Não há a localização “%1”.", zh: "沒有當地語系版本「%1」。", de: "Es gibt keine Lokalisierung „%1“."),
        Phrase(
            "'%1' is no URL: expected %2.", fr: "«\u{202F}%1\u{202F}» n’est pas une URL\u{202F}; il faut %2.",
            pt: "“%1” não é uma URL; é necessária %2.", zh: "「%1」不是 URL，須為%2。",
            de: "„%1“ ist keine URL; erwartet wird %2."),
        Phrase(
            "'%1' was the ID of a deleted product, and IDs are never used again",
            fr:
                "«\u{202F}%1\u{202F}» était l’identifiant d’un produit supprimé\u{202F}; un identifiant n’est jamais réutilisé.",
            pt: "“%1” era o ID de um produto excluído; IDs nunca são reutilizados.", zh: "「%1」曾是已刪除產品的 ID，ID 不會重複使用。",
            de: "„%1“ war die ID eines gelöschten Produkts; IDs werden nie wieder vergeben."),
        Phrase(
            "'%1' is the ID of another product", fr: "«\u{202F}%1\u{202F}» est l’identifiant d’un autre produit.",
            pt: "“%1” é o ID de outro produto.", zh: "「%1」是其他產品的 ID。", de: "„%1“ ist die ID eines anderen Produkts."),
        Phrase(
            "'%1' is or was the ID of another product",
            fr: "«\u{202F}%1\u{202F}» est ou était l’identifiant d’un autre produit.",
            pt: "“%1” é ou foi o ID de outro produto.", zh: "「%1」是或曾是其他產品的 ID。",
            de: "„%1“ ist oder war die ID eines anderen Produkts."),
        Phrase(
            "The product ID '%1' has already been used.",
            fr: "L’identifiant de produit «\u{202F}%1\u{202F}» est déjà utilisé.",
            pt: "O ID de produto “%1” já foi usado.", zh: "產品 ID「%1」已被使用。",
            de: "Die Produkt-ID „%1“ wurde schon verwendet."),
        Phrase(
            "no deleted product has the ID '%1'", fr: "Aucun produit supprimé n’a l’identifiant «\u{202F}%1\u{202F}».",
            pt: "Nenhum produto excluído tem o ID “%1”.", zh: "沒有 ID 為「%1」的已刪除產品。",
            de: "Kein gelöschtes Produkt hat die ID „%1“."),
        Phrase(
            "another product has or had the Apple ID %1", fr: "Un autre produit a ou avait l’identifiant Apple %1.",
            pt: "Outro produto tem ou teve o ID Apple %1.", zh: "其他產品正使用或曾使用 Apple ID %1。",
            de: "Ein anderes Produkt hat oder hatte die Apple-ID %1."),
        Phrase(
            "there is no app with the Apple ID %1", fr: "Il n’y a pas d’app avec l’identifiant Apple %1.",
            pt: "Não há app com o ID Apple %1.", zh: "沒有 Apple ID 為 %1 的 App。",
            de: "Es gibt keine App mit der Apple-ID %1."),
        Phrase(
            "There is no app with the Apple ID %1.", fr: "Il n’y a pas d’app avec l’identifiant Apple %1.",
            pt: "Não há app com o ID Apple %1.", zh: "沒有 Apple ID 為 %1 的 App。",
            de: "Es gibt keine App mit der Apple-ID %1."),
        Phrase(
            "There is no product with the Apple ID %1.", fr: "Il n’y a pas de produit avec l’identifiant Apple %1.",
            pt: "Não há produto com o ID Apple %1.", zh: "沒有 Apple ID 為 %1 的產品。",
            de: "Es gibt kein Produkt mit der Apple-ID %1."),
        Phrase(
            "there is no %1 with the ID '%2'", fr: "Il n’y a rien avec l’identifiant «\u{202F}%2\u{202F}» (%1).",
            pt: "Não há nada com o ID “%2” (%1).", zh: "沒有 ID 為「%2」的項目（%1）。", de: "Es gibt nichts mit der ID „%2“ (%1)."
        ),
        Phrase(
            "'%1' was changed by another writer after it was read: read it again",
            fr: "«\u{202F}%1\u{202F}» a été modifié entre-temps par une autre personne\u{202F}: rouvrez la page.",
            pt: "“%1” foi alterado por outra pessoa enquanto isso: abra a página de novo.", zh: "「%1」已被其他人更改，請重新開啟頁面。",
            de: "„%1“ wurde inzwischen von jemand anderem geändert: Öffnen Sie die Seite neu."),
        Phrase(
            "the app has a group with the ID '%1'", fr: "L’app a déjà un groupe «\u{202F}%1\u{202F}».",
            pt: "O app já tem um grupo “%1”.", zh: "此 App 已有群組「%1」。", de: "Die App hat schon eine Gruppe „%1“."),
        Phrase(
            "The group is in a submission: withdraw it before you delete it.",
            fr: "Le groupe est en cours de vérification\u{202F}: retirez-le avant de le supprimer.",
            pt: "O grupo está em um envio: retire-o antes de excluí-lo.", zh: "群組正在送審，請先撤回再刪除。",
            de: "Die Gruppe ist eingereicht: Ziehen Sie sie zurück, bevor Sie sie löschen."),
        Phrase(
            "The group has %1 subscription: delete them first.",
            fr: "Le groupe a %1 abonnement\u{202F}: supprimez-le d’abord.",
            pt: "O grupo tem %1 assinatura: exclua-a primeiro.", zh: "群組有 %1 個訂閱項目，請先刪除。",
            de: "Die Gruppe hat %1 Abo: Löschen Sie es zuerst."),
        Phrase(
            "The group has %1 subscriptions: delete them first.",
            fr: "Le groupe a %1 abonnements\u{202F}: supprimez-les d’abord.",
            pt: "O grupo tem %1 assinaturas: exclua-as primeiro.", zh: "群組有 %1 個訂閱項目，請先全部刪除。",
            de: "Die Gruppe hat %1 Abos: Löschen Sie sie zuerst."),
        Phrase(
            "There is no subscription group with the ID '%1'.",
            fr: "Il n’y a pas de groupe d’abonnements «\u{202F}%1\u{202F}».", pt: "Não há o grupo de assinaturas “%1”.",
            zh: "沒有訂閱項目群組「%1」。", de: "Es gibt keine Abogruppe „%1“."),
        Phrase(
            "The reference name '%1' has already been used.",
            fr: "Le nom de référence «\u{202F}%1\u{202F}» est déjà utilisé.",
            pt: "O nome de referência “%1” já foi usado.", zh: "參考名稱「%1」已被使用。",
            de: "Der Referenzname „%1“ wurde schon verwendet."),
        Phrase(
            "Free subscriptions are sold in Newsstand apps only, and this app is none.",
            fr: "Les abonnements gratuits n’existent que dans les apps de Kiosque, et celle-ci n’en est pas une.",
            pt: "Assinaturas gratuitas só existem em apps da Banca, e este não é um.", zh: "免費訂閱項目僅限書報攤 App，此 App 不是。",
            de: "Kostenlose Abos gibt es nur in Zeitungskiosk-Apps, und diese ist keine."),
        Phrase(
            "The app has no group with the ID '%1'.", fr: "L’app n’a pas de groupe «\u{202F}%1\u{202F}».",
            pt: "O app não tem o grupo “%1”.", zh: "此 App 沒有群組「%1」。", de: "Die App hat keine Gruppe „%1“."),
        Phrase(
            "A bundle ID has %1.", fr: "Un identifiant de lot se compose de %1.", pt: "Um ID de pacote tem %1.",
            zh: "套件 ID 須為%1。", de: "Eine Bundle-ID besteht aus: %1."),
        Phrase(
            "The app has no name.", fr: "L’app n’a pas de nom.", pt: "O app não tem nome.", zh: "此 App 沒有名稱。",
            de: "Die App hat keinen Namen."),
        Phrase(
            "There is no resource of type 'territories' with id '%1'",
            fr: "Il n’y a pas de boutique «\u{202F}%1\u{202F}».", pt: "Não há a loja “%1”.", zh: "沒有店面「%1」。",
            de: "Es gibt keinen Store „%1“."),
    ]
}
