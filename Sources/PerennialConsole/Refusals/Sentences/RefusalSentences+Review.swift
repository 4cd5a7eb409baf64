/// Refusals about review, images and content.
extension RefusalSentences {
    static let review: [Phrase] = [
        Phrase(
            "This resource cannot be reviewed, please check associated errors to see why.",
            fr: "Ceci ne peut pas encore être vérifié\u{202F}: il manque quelque chose.",
            pt: "Isto ainda não pode ser revisado: falta algo.", zh: "目前無法送審，尚缺必要資料。",
            de: "Das kann noch nicht geprüft werden: Es fehlt etwas."),
        Phrase(
            "The product has no %1.", fr: "Il manque au produit\u{202F}: %1.", pt: "Falta ao produto: %1.",
            zh: "產品缺少：%1。", de: "Dem Produkt fehlt: %1."),
        Phrase(
            "The product %1 isn't approved: only approved ones are removed.",
            fr: "Le produit %1 n’est pas approuvé\u{202F}: seuls les produits approuvés peuvent être retirés.",
            pt: "O produto %1 não está aprovado: só os aprovados são removidos.", zh: "產品 %1 尚未核准，只能移除已核准的產品。",
            de: "Das Produkt %1 ist nicht genehmigt: Nur genehmigte werden entfernt."),
        Phrase(
            "Nothing of it waits for a review.", fr: "Rien n’est en attente de vérification.",
            pt: "Nada aguarda revisão.", zh: "沒有項目正在等待審查。", de: "Nichts davon wartet auf eine Prüfung."),
        Phrase(
            "The group has no localization.", fr: "Le groupe n’a pas de localisation.",
            pt: "O grupo não tem localização.", zh: "群組沒有當地語系版本。", de: "Die Gruppe hat keine Lokalisierung."),
        Phrase(
            "The review submission is not in valid state: it is %1.",
            fr: "La soumission a l’état «\u{202F}%1\u{202F}», qui ne le permet pas.",
            pt: "O envio está “%1”, o que não permite isto.", zh: "送審狀態為「%1」，無法執行此操作。",
            de: "Die Einreichung hat den Status „%1“, der das nicht erlaubt."),
        Phrase(
            "A review submission has %1 items at most.", fr: "Une soumission a %1 éléments au plus.",
            pt: "Um envio tem no máximo %1 itens.", zh: "每次送審最多 %1 個項目。",
            de: "Eine Einreichung hat höchstens %1 Einträge."),
        Phrase(
            "The item is not in valid state: it is %1 in a review submission that is %2.",
            fr:
                "L’élément a l’état «\u{202F}%1\u{202F}» dans une soumission «\u{202F}%2\u{202F}», ce qui ne le permet pas.",
            pt: "O item está “%1” em um envio “%2”, o que não permite isto.", zh: "項目狀態為「%1」、送審狀態為「%2」，無法執行此操作。",
            de: "Der Eintrag hat den Status „%1“ in einer Einreichung mit „%2“; das erlaubt das nicht."),
        Phrase(
            "Only a rejected item of a submission with unresolved issues can be resolved.",
            fr: "Seul un élément refusé d’une soumission avec des problèmes en suspens peut être résolu.",
            pt: "Só um item recusado de um envio com pendências pode ser resolvido.", zh: "只有待解決的送審中遭拒絕的項目可標示為已解決。",
            de: "Nur ein abgelehnter Eintrag einer Einreichung mit offenen Problemen kann gelöst werden."),
        Phrase(
            "A rejected item is neither resolved nor removed.", fr: "Un élément refusé n’est ni résolu ni retiré.",
            pt: "Um item recusado não foi resolvido nem removido.", zh: "有遭拒絕的項目尚未解決或移除。",
            de: "Ein abgelehnter Eintrag ist weder gelöst noch entfernt."),
        Phrase(
            "The review submission has no items.", fr: "La soumission est vide.", pt: "O envio não tem itens.",
            zh: "送審沒有項目。", de: "Die Einreichung hat keine Einträge."),
        Phrase(
            "Resource is not in cancellable state: it is %1.",
            fr: "L’état «\u{202F}%1\u{202F}» ne permet pas l’annulation.", pt: "O estado “%1” não permite cancelar.",
            zh: "狀態「%1」無法取消。", de: "Der Status „%1“ lässt keinen Abbruch zu."),
        Phrase(
            "The review submission has no item %1.", fr: "La soumission n’a pas d’élément %1.",
            pt: "O envio não tem o item %1.", zh: "送審沒有項目 %1。", de: "Die Einreichung hat keinen Eintrag %1."),
        Phrase(
            "Nothing is to be reviewed: the submission is %1.",
            fr: "Rien à vérifier\u{202F}: la soumission a l’état «\u{202F}%1\u{202F}».",
            pt: "Nada a revisar: o envio está “%1”.", zh: "沒有待審查的項目：送審狀態為「%1」。",
            de: "Nichts zu prüfen: Die Einreichung hat den Status „%1“."),
        Phrase(
            "There is another reviewSubmissions with id %1 still in progress",
            fr: "Une autre soumission, %1, est en cours.", pt: "Outro envio, %1, está em andamento.",
            zh: "另一個送審 %1 仍在進行。", de: "Eine andere Einreichung, %1, läuft noch."),
        Phrase(
            "The review submission is that of another app", fr: "La soumission appartient à une autre app.",
            pt: "O envio é de outro app.", zh: "送審屬於其他 App。", de: "Die Einreichung gehört zu einer anderen App."),
        Phrase(
            "There is no such resource.", fr: "Cet élément n’existe pas.", pt: "Esse item não existe.", zh: "沒有此項目。",
            de: "Das gibt es nicht."),
        Phrase(
            "The review submission has no item that waits for its review.",
            fr: "Aucun élément de la soumission n’attend d’être vérifié.", pt: "Nenhum item do envio aguarda revisão.",
            zh: "送審中沒有待審查的項目。", de: "In der Einreichung wartet kein Eintrag auf die Prüfung."),
        Phrase(
            "The version was already added to another reviewSubmission with id %1",
            fr: "La version fait déjà partie de la soumission %1.", pt: "A versão já faz parte do envio %1.",
            zh: "此版本已加入送審 %1。", de: "Die Version gehört schon zur Einreichung %1."),
        Phrase(
            "The version is not in valid state: version %1 came after it.", fr: "La version %1 a suivi celle-ci.",
            pt: "A versão %1 veio depois desta.", zh: "版本 %1 已取代此版本。", de: "Version %1 kam danach."),
        Phrase(
            "There is no resource of type 'reviewSubmissions' with id '%1'",
            fr: "Il n’y a pas de soumission «\u{202F}%1\u{202F}».", pt: "Não há o envio “%1”.", zh: "沒有送審「%1」。",
            de: "Es gibt keine Einreichung „%1“."),
        Phrase(
            "The name has 255 characters at most and ends in .png, .jpg or .jpeg",
            fr: "Le nom a 255 caractères au plus et finit par .png, .jpg ou .jpeg.",
            pt: "O nome tem no máximo 255 caracteres e termina em .png, .jpg ou .jpeg.",
            zh: "檔名最多 255 個字元，副檔名為 .png、.jpg 或 .jpeg。",
            de: "Der Name hat höchstens 255 Zeichen und endet auf .png, .jpg oder .jpeg."),
        Phrase(
            "The file has 1 to %1 bytes", fr: "Le fichier a de 1 à %1 octets.", pt: "O arquivo tem de 1 a %1 bytes.",
            zh: "檔案大小須為 1 到 %1 位元組。", de: "Die Datei hat 1 bis %1 Byte."),
        Phrase(
            "The upload has ended: the asset is %1",
            fr: "Le téléversement est terminé\u{202F}: l’état est «\u{202F}%1\u{202F}».",
            pt: "O envio terminou: o estado é “%1”.", zh: "上傳已結束，狀態為「%1」。",
            de: "Das Hochladen ist beendet: Der Status ist „%1“."),
        Phrase(
            "The product has a screenshot: delete it first",
            fr: "Le produit a une capture d’écran\u{202F}: supprimez-la d’abord.",
            pt: "O produto tem uma captura de tela: exclua-a primeiro.", zh: "產品已有截圖，請先刪除。",
            de: "Das Produkt hat ein Screenshot: Löschen Sie es zuerst."),
        Phrase(
            "The product has %1 images: delete one first",
            fr: "Le produit a %1 images\u{202F}: supprimez-en une d’abord.",
            pt: "O produto tem %1 imagens: exclua uma primeiro.", zh: "產品已有 %1 張圖片，請先刪除一張。",
            de: "Das Produkt hat %1 Bilder: Löschen Sie zuerst eines."),
        Phrase(
            "The product has no such asset: %1", fr: "Le produit n’a pas ce fichier\u{202F}: %1.",
            pt: "O produto não tem este arquivo: %1.", zh: "產品沒有此檔案：%1。", de: "Das Produkt hat diese Datei nicht: %1."),
        Phrase(
            "The product is in review: withdraw it first",
            fr: "Le produit est en cours de vérification\u{202F}: retirez-le d’abord.",
            pt: "O produto está em revisão: retire-o primeiro.", zh: "產品正在審查，請先撤回。",
            de: "Das Produkt wird geprüft: Ziehen Sie es zuerst zurück."),
        Phrase(
            "This link is not or no longer valid: read the resource again for a new one",
            fr: "Ce lien n’est pas ou plus valable\u{202F}: rouvrez la page.",
            pt: "Este link não vale ou não vale mais: abra a página de novo.", zh: "此連結無效或已失效，請重新開啟頁面。",
            de: "Dieser Link gilt nicht oder nicht mehr: Öffnen Sie die Seite neu."),
        Phrase(
            "The part at %1 doesn't have %2 bytes", fr: "La partie à %1 n’a pas %2 octets.",
            pt: "A parte em %1 não tem %2 bytes.", zh: "位置 %1 的部分不是 %2 位元組。", de: "Der Teil bei %1 hat nicht %2 Byte."),
        Phrase(
            "There is no asset with id '%1'", fr: "Il n’y a pas de fichier «\u{202F}%1\u{202F}».",
            pt: "Não há o arquivo “%1”.", zh: "沒有檔案「%1」。", de: "Es gibt keine Datei „%1“."),
        Phrase(
            "The file is no PNG or JPEG image", fr: "Le fichier n’est pas une image PNG ou JPEG.",
            pt: "O arquivo não é uma imagem PNG ou JPEG.", zh: "檔案不是 PNG 或 JPEG 圖片。",
            de: "Die Datei ist kein PNG- oder JPEG-Bild."),
        Phrase("It has %1", fr: "Il faut %1.", pt: "São necessários %1.", zh: "須為%1。", de: "Erlaubt sind %1."),
        Phrase(
            "The product has a version '%1' of its content.",
            fr: "Le produit a déjà une version «\u{202F}%1\u{202F}» de son contenu.",
            pt: "O produto já tem a versão “%1” do conteúdo.", zh: "產品已有內容版本「%1」。",
            de: "Das Produkt hat schon eine Version „%1“ seines Inhalts."),
        Phrase(
            "The product has %1 versions of its content.", fr: "Le produit a déjà %1 versions de son contenu.",
            pt: "O produto já tem %1 versões do conteúdo.", zh: "產品已有 %1 個內容版本。",
            de: "Das Produkt hat schon %1 Versionen seines Inhalts."),
        Phrase(
            "The product has no version '%1' of its content.",
            fr: "Le produit n’a pas de version «\u{202F}%1\u{202F}» de son contenu.",
            pt: "O produto não tem a versão “%1” do conteúdo.", zh: "產品沒有內容版本「%1」。",
            de: "Das Produkt hat keine Version „%1“ seines Inhalts."),
        Phrase(
            "content is delivered from a folder, and there is none", fr: "Aucun dossier de contenu n’est configuré.",
            pt: "Nenhuma pasta de conteúdo foi configurada.", zh: "尚未設定內容檔案夾。",
            de: "Es ist kein Ordner für Inhalte eingerichtet."),
        Phrase(
            "a content file is named by a path inside of the folder",
            fr: "Le nom doit être un chemin dans le dossier de contenu.",
            pt: "O nome deve ser um caminho dentro da pasta de conteúdo.", zh: "名稱須為內容檔案夾內的路徑。",
            de: "Der Name muss ein Pfad im Ordner für Inhalte sein."),
        Phrase(
            "there is no such file in the content folder", fr: "Ce fichier n’est pas dans le dossier de contenu.",
            pt: "Esse arquivo não está na pasta de conteúdo.", zh: "內容檔案夾中沒有此檔案。",
            de: "Diese Datei liegt nicht im Ordner für Inhalte."),
        Phrase(
            "a link leads out of the content folder", fr: "Un lien mène hors du dossier de contenu.",
            pt: "Um link leva para fora da pasta de conteúdo.", zh: "連結指向內容檔案夾之外。",
            de: "Ein Link führt aus dem Ordner für Inhalte hinaus."),
        Phrase(
            "the file is changing", fr: "Le fichier est en cours de modification.", pt: "O arquivo está mudando.",
            zh: "檔案正在變更。", de: "Die Datei ändert sich gerade."),
        Phrase(
            "it is no regular file", fr: "Ce n’est pas un fichier ordinaire.", pt: "Não é um arquivo comum.",
            zh: "這不是一般檔案。", de: "Das ist keine gewöhnliche Datei."),
        Phrase(
            "the content folder can't be written", fr: "Impossible d’écrire dans le dossier de contenu.",
            pt: "Não é possível gravar na pasta de conteúdo.", zh: "無法寫入內容檔案夾。",
            de: "Der Ordner für Inhalte lässt sich nicht beschreiben."),
        Phrase(
            "a file has at most %1 bytes", fr: "Un fichier a %1 octets au plus.",
            pt: "Um arquivo tem no máximo %1 bytes.", zh: "檔案最多 %1 位元組。", de: "Eine Datei hat höchstens %1 Byte."),
    ]
}
