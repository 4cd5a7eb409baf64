/// The words of the frame: signing in, errors.
enum WebPhrases {
    static let tooManyFields = Phrase(
        "The form has too many fields.", fr: "Le formulaire contient trop de champs.",
        pt: "O formulário tem campos demais.", zh: "表單的欄位過多。", de: "Das Formular hat zu viele Felder.")
    static let malformedForm = Phrase(
        "The form can’t be read.", fr: "Le formulaire est illisible.", pt: "Não foi possível ler o formulário.",
        zh: "無法讀取表單。", de: "Das Formular ist nicht lesbar.")
    static let notFound = Phrase(
        "Page not found", fr: "Page introuvable", pt: "Página não encontrada", zh: "找不到頁面", de: "Seite nicht gefunden")
    static let notFoundAdvice = Phrase(
        "Check the address, or go on from the overview.",
        fr: "Vérifiez l’adresse ou repartez de l’aperçu.",
        pt: "Verifique o endereço ou comece pela visão geral.", zh: "請檢查網址，或從概覽開始。",
        de: "Prüfen Sie die Adresse oder beginnen Sie bei der Übersicht.")
    static let noSuchEnvironment = Phrase(
        "There is no environment “%1”.", fr: "Il n’y a pas d’environnement « %1 ».",
        pt: "Não há nenhum ambiente “%1”.", zh: "沒有名為「%1」的環境。", de: "Es gibt keine Umgebung „%1“.")
    static let noSuchApp = Phrase(
        "There is no app “%1”, or you may not see it.", fr: "L’app « %1 » n’existe pas ou ne vous est pas accessible.",
        pt: "O app “%1” não existe ou você não tem acesso a ele.", zh: "沒有名為「%1」的 App，或你無權查看。",
        de: "Es gibt keine App „%1“, oder Sie dürfen sie nicht sehen.")
    static let forbidden = Phrase(
        "Your role doesn’t allow this", fr: "Votre rôle ne le permet pas", pt: "Sua função não permite isso",
        zh: "你的職務無此權限", de: "Ihre Funktion erlaubt das nicht")
    static let forbiddenAdvice = Phrase(
        "It takes the permission “%1”. Ask an admin of your team for a role that has it.",
        fr: "Il faut l’autorisation « %1 ». Demandez à un admin de votre équipe un rôle qui la comprend.",
        pt: "É necessária a permissão “%1”. Peça a um admin da sua equipe uma função que a inclua.",
        zh: "需要「%1」權限。請向團隊的管理人員索取具備此權限的職務。",
        de:
            "Nötig ist die Berechtigung „%1“. Bitten Sie eine Administratorin oder einen Administrator Ihres Teams um eine Funktion mit ihr."
    )
    static let ofAllApps = Phrase(
        "This page is about all apps", fr: "Cette page concerne toutes les apps",
        pt: "Esta página é sobre todos os apps",
        zh: "此頁面涵蓋所有 App", de: "Diese Seite betrifft alle Apps")
    static let ofAllAppsAdvice = Phrase(
        "You see some of the apps only. Ask an admin of your team for access to all apps.",
        fr: "Vous ne voyez que certaines apps. Demandez à un admin de votre équipe l’accès à toutes les apps.",
        pt: "Você vê apenas alguns dos apps. Peça a um admin da sua equipe acesso a todos os apps.",
        zh: "你只能查看部分 App。請向團隊的管理人員索取所有 App 的取用權限。",
        de:
            "Sie sehen nur einige der Apps. Bitten Sie eine Administratorin oder einen Administrator Ihres Teams um Zugriff auf alle Apps."
    )
    static let badRequest = Phrase(
        "The request can’t be read", fr: "La demande est illisible", pt: "Não foi possível ler a solicitação",
        zh: "無法讀取要求", de: "Die Anfrage ist nicht lesbar")
    static let refused = Phrase(
        "This can’t be done", fr: "Impossible d’effectuer cette action", pt: "Não é possível fazer isso", zh: "無法執行此操作",
        de: "Das ist nicht möglich")
    static let refusedAdvice = Phrase(
        "Nothing was changed. Correct it and try again.", fr: "Rien n’a été modifié. Corrigez, puis réessayez.",
        pt: "Nada foi alterado. Corrija e tente novamente.", zh: "未做任何變更。請更正後再試一次。",
        de: "Es wurde nichts geändert. Berichtigen Sie es und versuchen Sie es noch einmal.")
    static let tooLarge = Phrase(
        "That is too large", fr: "C’est trop volumineux", pt: "O tamanho é grande demais", zh: "內容過大",
        de: "Das ist zu groß")
    static let tooLargeAdvice = Phrase(
        "At most %1 bytes may be sent here.", fr: "L’envoi est limité ici à %1 octets.",
        pt: "O limite de envio aqui é de %1 bytes.", zh: "此處最多可傳送 %1 個位元組。",
        de: "Hier können höchstens %1 Byte gesendet werden.")
    static let failed = Phrase(
        "Something went wrong", fr: "Une erreur s’est produite", pt: "Ocorreu um erro", zh: "發生錯誤",
        de: "Etwas ist schiefgegangen")
    static let failedAdvice = Phrase(
        "The server’s log describes it under the ID %1. Try again; if it stays, report it with that ID.",
        fr: "Le journal du serveur le décrit sous l’ID %1. Réessayez ; si l’erreur persiste, signalez-la avec cet ID.",
        pt: "O registro do servidor o descreve com o ID %1. Tente novamente; se continuar, informe o erro com esse ID.",
        zh: "伺服器記錄以 ID %1 說明此錯誤。請再試一次；若仍發生，請附上此 ID 回報。",
        de:
            "Das Protokoll des Servers beschreibt es unter der ID %1. Versuchen Sie es noch einmal; bleibt es dabei, melden Sie es mit dieser ID."
    )
    static let unavailable = Phrase(
        "The store can’t answer now", fr: "La boutique ne peut pas répondre pour l’instant",
        pt: "A loja não pode responder agora", zh: "商店目前無法回應", de: "Der Store kann gerade nicht antworten")
    static let unavailableAdvice = Phrase(
        "Try again in a moment.", fr: "Réessayez dans un instant.", pt: "Tente novamente em instantes.", zh: "請稍後再試。",
        de: "Versuchen Sie es gleich noch einmal.")
    static let forged = Phrase(
        "This form comes from elsewhere or is out of date",
        fr: "Ce formulaire vient d’ailleurs ou n’est plus à jour",
        pt: "Este formulário veio de outro lugar ou está desatualizado", zh: "此表單來自他處或已過期",
        de: "Dieses Formular kommt von anderswo oder ist veraltet")
    static let forgedAdvice = Phrase(
        "Nothing was changed. Open the page again in the console and repeat it there.",
        fr: "Rien n’a été modifié. Rouvrez la page dans la console et recommencez.",
        pt: "Nada foi alterado. Abra a página de novo no console e repita a ação.", zh: "未做任何變更。請在主控台重新開啟頁面，再操作一次。",
        de: "Es wurde nichts geändert. Öffnen Sie die Seite in der Konsole noch einmal und wiederholen Sie es dort.")
    static let chooseApp = Phrase(
        "Choose an app", fr: "Choisissez une app", pt: "Escolha um app", zh: "選擇 App", de: "App wählen")
    static let noApps = Phrase(
        "There is no app yet. Import a StoreKit file or a catalog.",
        fr: "Il n’y a pas encore d’app. Importez un fichier StoreKit ou un catalogue.",
        pt: "Ainda não há apps. Importe um arquivo StoreKit ou um catálogo.", zh: "尚無 App。請輸入 StoreKit 檔案或目錄。",
        de: "Es gibt noch keine App. Importieren Sie eine StoreKit-Datei oder einen Katalog.")
    static let overview = Phrase(
        "Overview", fr: "Aperçu", pt: "Visão geral", zh: "概覽", de: "Übersicht")
}
