/// The words of the page about the process's health.
enum HealthPhrases {
    static let nodes = Phrase(
        "Servers of this database", fr: "Serveurs de cette base de données", pt: "Servidores deste banco de dados",
        zh: "此資料庫的伺服器", de: "Server dieser Datenbank")
    static let machine = Phrase(
        "Machine (process)", fr: "Machine (processus)", pt: "Máquina (processo)", zh: "機器（程序）", de: "Rechner (Prozess)")
    static let started = Phrase("Started", fr: "Démarré", pt: "Iniciado", zh: "啟動時間", de: "Gestartet")
    static let up = Phrase("Up for", fr: "Actif depuis", pt: "Ativo há", zh: "已運行", de: "Läuft seit")
    static let uptime = Phrase(
        "%1 d %2 h %3 min", fr: "%1 j %2 h %3 min", pt: "%1 dias, %2 h, %3 min", zh: "%1 天 %2 小時 %3 分",
        de: "%1 T. %2 Std. %3 Min.")
    static let alive = Phrase("Alive", fr: "En marche", pt: "Em execução", zh: "運作中", de: "Läuft")
    static let silent = Phrase(
        "Silent for %1 s", fr: "Muet depuis %1 s", pt: "Em silêncio há %1 s", zh: "已 %1 秒無回應",
        de: "Seit %1 s ohne Meldung")
    static let title = Phrase("Health", fr: "État du système", pt: "Saúde do sistema", zh: "系統狀態", de: "Zustand")
    static let checks = Phrase("Checks", fr: "Contrôles", pt: "Verificações", zh: "檢查項目", de: "Prüfungen")
    static let sells = Phrase(
        "The store can sell", fr: "La boutique peut vendre", pt: "A loja pode vender", zh: "商店可以銷售",
        de: "Der Store kann verkaufen")
    static let sellsNot = Phrase(
        "%1. Read the server’s log; a full disk or a database that doesn’t answer is the usual reason.",
        fr: "%1. Consultez le journal du serveur ; souvent, le disque est plein ou la base de données ne répond pas.",
        pt: "%1. Consulte o registro do servidor; em geral o disco está cheio ou o banco de dados não responde.",
        zh: "%1。請查看伺服器記錄；常見原因是磁碟已滿或資料庫沒有回應。",
        de: "%1. Lesen Sie das Protokoll des Servers; meist ist die Platte voll oder die Datenbank antwortet nicht.")
    static let disk = Phrase(
        "The disk has room", fr: "Le disque a de la place", pt: "O disco tem espaço", zh: "磁碟空間充足",
        de: "Die Platte hat Platz")
    static let diskSpace = Phrase(
        "%1 GB of %2 GB are free.", fr: "%1 Go libres sur %2 Go.", pt: "%1 GB de %2 GB livres.",
        zh: "%2 GB 中有 %1 GB 可用。",
        de: "%1 GB von %2 GB sind frei.")
    static let diskFull = Phrase(
        "Only %1 GB of %2 GB are free. Make room: a store whose disk is full sells nothing.",
        fr: "Il ne reste que %1 Go sur %2 Go. Libérez de la place : une boutique au disque plein ne vend plus.",
        pt: "Só %1 GB de %2 GB livres. Libere espaço: uma loja com disco cheio não vende nada.",
        zh: "%2 GB 中僅剩 %1 GB。請釋出空間：磁碟已滿的商店無法銷售。",
        de: "Nur %1 GB von %2 GB sind frei. Schaffen Sie Platz: Ein Store mit voller Platte verkauft nichts.")
    static let noDisk = Phrase(
        "The database isn’t on a disk of this machine.",
        fr: "La base de données n’est pas sur un disque de cette machine.",
        pt: "O banco de dados não está em um disco desta máquina.", zh: "資料庫不在本機磁碟上。",
        de: "Die Datenbank liegt auf keiner Platte dieses Rechners.")
    static let reports = Phrase(
        "Reports are up to date", fr: "Les rapports sont à jour", pt: "Os relatórios estão em dia", zh: "報告為最新",
        de: "Die Berichte sind aktuell")
    static let reportsLag = Phrase(
        "%1: %2 events of %3 aren’t in the reports yet. They follow by themselves; if not, run perennial roll-ups rebuild.",
        fr:
            "%1 : %2 événements de %3 ne sont pas encore dans les rapports. Ils suivront d’eux-mêmes ; sinon, exécutez perennial roll-ups rebuild.",
        pt:
            "%1: %2 eventos de %3 ainda não estão nos relatórios. Eles entram sozinhos; se não, execute perennial roll-ups rebuild.",
        zh: "%1：%3 有 %2 個事件尚未納入報告。系統會自動處理；若未處理，請執行 perennial roll-ups rebuild。",
        de:
            "%1: %2 Ereignisse von %3 fehlen noch in den Berichten. Sie folgen von selbst; sonst hilft perennial roll-ups rebuild."
    )
    static let renewals = Phrase(
        "Renewals are charged in time", fr: "Les renouvellements sont facturés à temps",
        pt: "As renovações são cobradas em dia",
        zh: "續訂準時扣款", de: "Verlängerungen werden rechtzeitig abgebucht")
    static let renewalsDue = Phrase(
        "%1: %2 are due. They are charged by themselves; if the number stays, read the server’s log.",
        fr: "%1 : %2 sont dus. Ils sont facturés automatiquement ; si le nombre ne baisse pas, consultez le journal.",
        pt: "%1: %2 estão pendentes. São cobradas sozinhas; se o número não baixar, consulte o registro.",
        zh: "%1：有 %2 筆待處理。系統會自動扣款；若數量未減少，請查看伺服器記錄。",
        de: "%1: %2 sind fällig. Sie werden von selbst abgebucht; bleibt die Zahl, lesen Sie das Protokoll.")
    static let quarantine = Phrase(
        "No subscription is in quarantine", fr: "Aucun abonnement en quarantaine",
        pt: "Nenhuma assinatura em quarentena",
        zh: "沒有隔離中的訂閱", de: "Kein Abonnement ist in Quarantäne")
    static let quarantined = Phrase(
        "%1: the work of %2 fails. perennial subscriptions quarantine says why and releases them.",
        fr: "%1 : le traitement de %2 échoue. perennial subscriptions quarantine en donne la raison et les libère.",
        pt: "%1: o processamento de %2 falha. perennial subscriptions quarantine diz o motivo e as libera.",
        zh: "%1：有 %2 筆處理失敗。perennial subscriptions quarantine 會說明原因並解除隔離。",
        de: "%1: Die Arbeit an %2 scheitert. perennial subscriptions quarantine nennt den Grund und gibt sie frei.")
    static let notifications = Phrase(
        "Notifications arrive", fr: "Les notifications arrivent", pt: "As notificações chegam", zh: "通知已送達",
        de: "Mitteilungen kommen an")
    static let notificationsFail = Phrase(
        "%1: %2 of %3 failed and will be sent again. Open Notifications to see the answers of your server.",
        fr:
            "%1 : %2 de %3 ont échoué et seront renvoyées. Ouvrez Notifications pour voir les réponses de votre serveur.",
        pt: "%1: %2 de %3 falharam e serão reenviadas. Abra Notificações para ver as respostas do seu servidor.",
        zh: "%1：%3 有 %2 則失敗，將會重新傳送。請開啟「通知」查看伺服器的回應。",
        de:
            "%1: %2 von %3 scheiterten und werden wieder gesendet. Unter Mitteilungen stehen die Antworten Ihres Servers."
    )
    static let certificates = Phrase(
        "Certificates are valid", fr: "Les certificats sont valides", pt: "Os certificados são válidos", zh: "憑證有效",
        de: "Die Zertifikate gelten")
    static let certificateEnds = Phrase(
        "%1 is valid until %2.", fr: "%1 est valide jusqu’au %2.", pt: "%1 é válido até %2.", zh: "%1 的有效期至 %2。",
        de: "%1 gilt bis %2.")
    static let certificateEndsSoon = Phrase(
        "%1 ends on %2. Before then, start the server with a new data folder’s keys, and give clients the new root.",
        fr:
            "%1 expire le %2. D’ici là, démarrez le serveur avec de nouvelles clés et transmettez la nouvelle racine aux clients.",
        pt: "%1 expira em %2. Antes disso, inicie o servidor com novas chaves e entregue a nova raiz aos clientes.",
        zh: "%1 將於 %2 到期。請在此之前以新的金鑰啟動伺服器，並將新的根憑證交給用戶端。",
        de:
            "%1 endet am %2. Starten Sie den Server vorher mit neuen Schlüsseln, und geben Sie den Clients die neue Wurzel."
    )
    static let process = Phrase("Process", fr: "Processus", pt: "Processo", zh: "程序", de: "Prozess")
    static let version = Phrase("Version", fr: "Version", pt: "Versão", zh: "版本", de: "Version")
    static let database = Phrase("Database", fr: "Base de données", pt: "Banco de dados", zh: "資料庫", de: "Datenbank")
    static let serverTime = Phrase(
        "Server’s time", fr: "Heure du serveur", pt: "Hora do servidor", zh: "伺服器時間", de: "Zeit des Servers")
    static let audit = Phrase(
        "Audit log", fr: "Journal d’audit", pt: "Registro de auditoria", zh: "稽核記錄", de: "Prüfprotokoll")
}
