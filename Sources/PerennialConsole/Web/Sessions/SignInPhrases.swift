/// The words of signing in and of choosing a password.
enum SignInPhrases {
    static let signIn = Phrase("Sign in", fr: "Se connecter", pt: "Iniciar sessão", zh: "登入", de: "Anmelden")
    static let signInTitle = Phrase(
        "Sign in to Perennial", fr: "Se connecter à Perennial", pt: "Iniciar sessão no Perennial", zh: "登入 Perennial",
        de: "Bei Perennial anmelden")
    static let email = Phrase(
        "Email address", fr: "Adresse e-mail", pt: "Endereço de e-mail", zh: "電子郵件地址", de: "E-Mail-Adresse")
    static let password = Phrase("Password", fr: "Mot de passe", pt: "Senha", zh: "密碼", de: "Passwort")
    static let wrong = Phrase(
        "The email address or the password is wrong.", fr: "L’adresse e-mail ou le mot de passe est incorrect.",
        pt: "O endereço de e-mail ou a senha está incorreta.", zh: "電子郵件地址或密碼不正確。",
        de: "E-Mail-Adresse oder Passwort ist falsch.")
    static let tooManyGuesses = Phrase(
        "Too many wrong passwords. Try again in %1 seconds.",
        fr: "Trop de mots de passe incorrects. Réessayez dans %1 secondes.",
        pt: "Senhas incorretas demais. Tente novamente em %1 segundos.", zh: "密碼錯誤次數過多。請在 %1 秒後再試。",
        de: "Zu viele falsche Passwörter. Versuchen Sie es in %1 Sekunden noch einmal.")
    static let overloaded = Phrase(
        "Too many sign in at once. Try again in %1 seconds.",
        fr: "Trop de connexions simultanées. Réessayez dans %1 secondes.",
        pt: "Há acessos simultâneos demais. Tente novamente em %1 segundos.", zh: "同時登入的人數過多。請在 %1 秒後再試。",
        de: "Zu viele melden sich gleichzeitig an. Versuchen Sie es in %1 Sekunden noch einmal.")
    static let operatorHint = Phrase(
        "On the server’s own machine, this command opens the console signed in:",
        fr: "Sur la machine du serveur, cette commande ouvre la console avec une session active :",
        pt: "Na própria máquina do servidor, este comando abre o console já com a sessão iniciada:",
        zh: "在伺服器所在的電腦上，此指令會開啟已登入的主控台：",
        de: "Auf dem Rechner des Servers öffnet dieser Befehl die Konsole angemeldet:")
    static let linkInvalid = Phrase(
        "This link was used before, or it has expired.", fr: "Ce lien a déjà été utilisé ou a expiré.",
        pt: "Este link já foi usado ou expirou.", zh: "此連結已使用過或已過期。",
        de: "Dieser Link wurde schon benutzt oder ist abgelaufen.")
    static let linkInvalidAdvice = Phrase(
        "Run perennial open for another link, or sign in below.",
        fr: "Exécutez perennial open pour obtenir un autre lien, ou connectez-vous ci-dessous.",
        pt: "Execute perennial open para obter outro link ou inicie sessão abaixo.",
        zh: "請執行 perennial open 取得新的連結，或在下方登入。",
        de: "Mit perennial open gibt es einen neuen; oder melden Sie sich unten an.")
    static let choosePassword = Phrase(
        "Choose a password", fr: "Choisissez un mot de passe", pt: "Escolha uma senha", zh: "選擇密碼",
        de: "Passwort wählen")
    static let forUser = Phrase("For %1", fr: "Pour %1", pt: "Para %1", zh: "帳號：%1", de: "Für %1")
    static let passwordHint = Phrase(
        "At least %1 characters.", fr: "Au moins %1 caractères.", pt: "Pelo menos %1 caracteres.", zh: "至少 %1 個字元。",
        de: "Mindestens %1 Zeichen.")
    static let passwordTooLong = Phrase(
        "At most %1 bytes.", fr: "Au plus %1 octets.", pt: "No máximo %1 bytes.", zh: "最多 %1 個位元組。",
        de: "Höchstens %1 Byte.")
    static let passwordSet = Phrase(
        "Your password is set. Sign in with it.", fr: "Votre mot de passe est défini. Connectez-vous avec celui-ci.",
        pt: "Sua senha foi definida. Inicie sessão com ela.", zh: "密碼已設定。請用它登入。",
        de: "Ihr Passwort ist gesetzt. Melden Sie sich damit an.")
    static let signedOut = Phrase(
        "You are signed out.", fr: "Vous êtes déconnecté.", pt: "Sua sessão foi encerrada.", zh: "你已登出。",
        de: "Sie sind abgemeldet.")
}
