/// Refusals about what to do about refused requests and failed deliveries.
extension RefusalSentences {
    static let live: [Phrase] = [
        Phrase(
            "send the control token of the banner: Authorization: Bearer TOKEN",
            fr: "Envoyez le jeton de contrôle affiché au démarrage\u{202F}: Authorization: Bearer TOKEN",
            pt: "Envie o token de controle exibido na inicialização: Authorization: Bearer TOKEN",
            zh: "請傳送啟動時顯示的控制權杖：Authorization: Bearer TOKEN",
            de: "Senden Sie das beim Start gezeigte Steuer-Token: Authorization: Bearer TOKEN"),
        Phrase(
            "sign in again: the device's token is unknown or has ended",
            fr: "Reconnectez-vous\u{202F}: le jeton de l’appareil est inconnu ou n’est plus valable.",
            pt: "Entre de novo: o token do dispositivo é desconhecido ou terminou.", zh: "請重新登入：裝置權杖不明或已失效。",
            de: "Melden Sie sich neu an: Das Token des Geräts ist unbekannt oder beendet."),
        Phrase(
            "sign the token with a key of this store (perennial keys), and check its times and audience",
            fr: "Signez le jeton avec une clé de ce store (perennial keys), et vérifiez ses dates et son audience.",
            pt: "Assine o token com uma chave desta loja (perennial keys) e confira as datas e o público.",
            zh: "請以此商店的金鑰簽署權杖（perennial keys），並檢查時間與對象。",
            de:
                "Signieren Sie das Token mit einem Schlüssel dieses Stores (perennial keys), und prüfen Sie Zeiten und Empfänger."
        ),
        Phrase(
            "sign in again: the password is wrong, or the session has ended",
            fr: "Reconnectez-vous\u{202F}: le mot de passe est faux ou la session est terminée.",
            pt: "Entre de novo: a senha está errada ou a sessão terminou.", zh: "請重新登入：密碼錯誤，或工作階段已結束。",
            de: "Melden Sie sich neu an: Das Passwort ist falsch, oder die Sitzung ist beendet."),
        Phrase(
            "give the user another role (perennial users edit), or open the page anew",
            fr: "Donnez un autre rôle à l’utilisateur (perennial users edit) ou rouvrez la page.",
            pt: "Dê outra função ao usuário (perennial users edit) ou abra a página de novo.",
            zh: "請給使用者其他角色（perennial users edit），或重新開啟頁面。",
            de: "Geben Sie dem Benutzer eine andere Rolle (perennial users edit) oder öffnen Sie die Seite neu."),
        Phrase(
            "send a valid token", fr: "Envoyez un jeton valable.", pt: "Envie um token válido.", zh: "請傳送有效的權杖。",
            de: "Senden Sie ein gültiges Token."),
        Phrase(
            "correct the request as the reason says", fr: "Corrigez la requête selon la raison indiquée.",
            pt: "Corrija a solicitação conforme o motivo.", zh: "請依原因修正要求。",
            de: "Berichtigen Sie die Anfrage, wie es der Grund sagt."),
        Phrase(
            "the customer's payments are declined: see perennial payment-method",
            fr: "Les paiements du client sont refusés\u{202F}: voir perennial payment-method.",
            pt: "Os pagamentos do cliente são recusados: veja perennial payment-method.",
            zh: "顧客的付款遭拒，請參閱 perennial payment-method。",
            de: "Die Zahlungen des Kunden werden abgelehnt: siehe perennial payment-method."),
        Phrase(
            "it isn't allowed to this sender: see the reason",
            fr: "Cet expéditeur n’y est pas autorisé\u{202F}: voir la raison.",
            pt: "Este remetente não tem permissão: veja o motivo.", zh: "此傳送者無權執行，請見原因。",
            de: "Dieser Absender darf das nicht: siehe den Grund."),
        Phrase(
            "check the names in the path and the environment before it",
            fr: "Vérifiez les noms du chemin et l’environnement qui le précède.",
            pt: "Confira os nomes no caminho e o ambiente antes dele.", zh: "請檢查路徑中的名稱與其前的環境。",
            de: "Prüfen Sie die Namen im Pfad und die Umgebung davor."),
        Phrase(
            "use a method that the answer's Allow lists", fr: "Utilisez une méthode que nomme Allow dans la réponse.",
            pt: "Use um método listado em Allow na resposta.", zh: "請使用回應中 Allow 所列的方法。",
            de: "Verwenden Sie eine Methode, die Allow in der Antwort nennt."),
        Phrase(
            "read the present state, and decide again", fr: "Relisez l’état actuel, puis décidez à nouveau.",
            pt: "Leia o estado atual e decida de novo.", zh: "請讀取目前狀態，再重新決定。",
            de: "Lesen Sie den jetzigen Stand, und entscheiden Sie neu."),
        Phrase(
            "send a shorter body", fr: "Envoyez un corps plus court.", pt: "Envie um corpo menor.", zh: "請傳送較短的內文。",
            de: "Senden Sie einen kürzeren Body."),
        Phrase(
            "wait as long as Retry-After says", fr: "Attendez le temps qu’indique Retry-After.",
            pt: "Aguarde o tempo indicado por Retry-After.", zh: "請等候 Retry-After 指定的時間。",
            de: "Warten Sie so lange, wie Retry-After sagt."),
        Phrase(
            "send the same request again; if it goes on, look for errors in this log",
            fr: "Renvoyez la même requête\u{202F}; si cela continue, cherchez des erreurs dans le journal.",
            pt: "Envie a mesma solicitação de novo; se continuar, procure erros no registro.",
            zh: "請重新傳送相同的要求；若持續發生，請查看記錄中的錯誤。",
            de: "Senden Sie dieselbe Anfrage noch einmal; wenn es so bleibt, suchen Sie Fehler im Protokoll."),
        Phrase(
            "answer within the time-out, and work on the notification afterwards",
            fr: "Répondez dans le délai, et traitez la notification ensuite.",
            pt: "Responda dentro do tempo limite e processe a notificação depois.", zh: "請在逾時前回應，之後再處理通知。",
            de: "Antworten Sie innerhalb der Zeitgrenze, und bearbeiten Sie die Mitteilung danach."),
        Phrase(
            "use TLS 1.2 or newer, and a certificate that this machine trusts",
            fr: "Utilisez TLS 1.2 ou plus récent, et un certificat reconnu par cette machine.",
            pt: "Use TLS 1.2 ou mais novo e um certificado em que esta máquina confie.",
            zh: "請使用 TLS 1.2 以上，以及此機器信任的憑證。",
            de: "Verwenden Sie TLS 1.2 oder neuer und ein Zertifikat, dem dieser Rechner vertraut."),
        Phrase(
            "set the URL that the receiver redirects to", fr: "Définissez l’URL vers laquelle le récepteur redirige.",
            pt: "Defina a URL para a qual o receptor redireciona.", zh: "請設定接收端重新導向的 URL。",
            de: "Setzen Sie die URL, auf die der Empfänger umleitet."),
        Phrase(
            "the receiver closed the connection: look at its log",
            fr: "Le récepteur a fermé la connexion\u{202F}: consultez son journal.",
            pt: "O receptor fechou a conexão: veja o registro dele.", zh: "接收端已關閉連線，請查看其記錄。",
            de: "Der Empfänger hat die Verbindung geschlossen: Sehen Sie in sein Protokoll."),
        Phrase(
            "check the URL's host and port, and that the receiver runs",
            fr: "Vérifiez l’hôte et le port de l’URL, et que le récepteur fonctionne.",
            pt: "Confira o host e a porta da URL e se o receptor está em execução.", zh: "請檢查 URL 的主機與連接埠，並確認接收端正在執行。",
            de: "Prüfen Sie Host und Port der URL, und ob der Empfänger läuft."),
        Phrase(
            "answer without a charset, or with utf-8", fr: "Répondez sans jeu de caractères, ou avec utf-8.",
            pt: "Responda sem charset ou com utf-8.", zh: "回應請不要指定 charset，或使用 utf-8。",
            de: "Antworten Sie ohne Zeichensatz oder mit utf-8."),
        Phrase(
            "the receiver's answer isn't HTTP, or redirects to no URL: check the URL's port",
            fr: "La réponse du récepteur n’est pas du HTTP, ou redirige sans URL\u{202F}: vérifiez le port.",
            pt: "A resposta do receptor não é HTTP ou redireciona para nenhuma URL: confira a porta.",
            zh: "接收端的回應不是 HTTP，或重新導向沒有 URL，請檢查連接埠。",
            de: "Die Antwort des Empfängers ist kein HTTP oder leitet auf keine URL um: Prüfen Sie den Port."),
        Phrase(
            "the receiver closed the connection in the middle of its answer: look at its log",
            fr: "Le récepteur a fermé la connexion au milieu de sa réponse\u{202F}: consultez son journal.",
            pt: "O receptor fechou a conexão no meio da resposta: veja o registro dele.", zh: "接收端在回應途中關閉連線，請查看其記錄。",
            de: "Der Empfänger hat die Verbindung mitten in der Antwort geschlossen: Sehen Sie in sein Protokoll."),
        Phrase(
            "look at this server's log, then send it again: perennial notifications resend",
            fr: "Consultez le journal de ce serveur, puis renvoyez-la\u{202F}: perennial notifications resend",
            pt: "Veja o registro deste servidor e envie de novo: perennial notifications resend",
            zh: "請查看此伺服器的記錄，再重新傳送：perennial notifications resend",
            de: "Sehen Sie in das Protokoll dieses Servers, und senden Sie sie erneut: perennial notifications resend"),
        Phrase(
            "the receiver wants credentials that notifications don't carry: let them in by their signature",
            fr:
                "Le récepteur exige des identifiants que les notifications n’ont pas\u{202F}: reconnaissez-les à leur signature.",
            pt: "O receptor exige credenciais que as notificações não levam: aceite-as pela assinatura.",
            zh: "接收端要求通知未附帶的憑證，請改以簽章驗證。",
            de:
                "Der Empfänger verlangt Zugangsdaten, die Mitteilungen nicht haben: Lassen Sie sie anhand ihrer Signatur zu."
        ),
        Phrase(
            "check the URL's path: the receiver takes no POST there",
            fr: "Vérifiez le chemin de l’URL\u{202F}: le récepteur n’y accepte pas de POST.",
            pt: "Confira o caminho da URL: o receptor não aceita POST ali.", zh: "請檢查 URL 的路徑，接收端在該處不接受 POST。",
            de: "Prüfen Sie den Pfad der URL: Der Empfänger nimmt dort kein POST an."),
        Phrase(
            "let the receiver accept larger bodies", fr: "Faites accepter des corps plus grands au récepteur.",
            pt: "Faça o receptor aceitar corpos maiores.", zh: "請讓接收端接受較大的內文。",
            de: "Lassen Sie den Empfänger größere Bodys annehmen."),
        Phrase(
            "the receiver failed: look at its log", fr: "Le récepteur a échoué\u{202F}: consultez son journal.",
            pt: "O receptor falhou: veja o registro dele.", zh: "接收端發生錯誤，請查看其記錄。",
            de: "Der Empfänger ist gescheitert: Sehen Sie in sein Protokoll."),
        Phrase(
            "answer with a status of 200 to 206", fr: "Répondez avec un statut de 200 à 206.",
            pt: "Responda com um status de 200 a 206.", zh: "請以 200 到 206 的狀態回應。",
            de: "Antworten Sie mit einem Status von 200 bis 206."),
    ]
}
