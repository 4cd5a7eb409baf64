import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore

/// The URL that an app's server notifications are sent to, with a test.
struct NotificationURLChapter: ConsoleChapter {
    /// The pauses for which the page waits for the receiver's answer to a test.
    private static let waits = 30
    private static let pause = Duration.milliseconds(100)

    func add(to routes: ConsoleRoutes) {
        routes.page("notification-url", .operate) { try await Self.page($0) }
        routes.form("notification-url", .operate) { try await Self.save($0) }
        routes.form("notification-url/remove", .operate) { try await Self.remove($0) }
        routes.form("notification-url/test", .operate) { try await Self.test($0) }
    }

    private static func page(_ request: PageRequest, _ state: FormState = .new) async throws -> Page {
        let bundleID = try request.bundleID()
        let settings = try? await request.store.notifications.settings(of: bundleID)
        var blocks: [Block] = []
        if let uuid = request.query["test"], !uuid.isEmpty {
            blocks += try await result(of: uuid, settings, request)
        }
        let kind: Phrase =
            request.environment.kind == .production
            ? NotificationURLPhrases.productionURL : NotificationURLPhrases.sandboxURL
        blocks.append(.section(.phrase(kind), [.form(form(settings, request, state))]))
        if let settings {
            let test = request.sameHere(
                "notifications test", namesApp: true, .init("POST", "control/v1/apps/\(bundleID)/notifications/test"))
            let remove = request.sameHere(
                "notifications receiver remove", namesApp: true,
                .init("DELETE", "control/v1/apps/\(bundleID)/notifications"))
            blocks.append(
                .actions([
                    .post(
                        .phrase(NotificationURLPhrases.sendTest), path: request.path("notification-url/test"),
                        same: test),
                    .post(
                        .phrase(NotificationURLPhrases.stop), path: request.path("notification-url/remove"),
                        isDangerous: true, same: remove),
                ]))
            if settings.faults != nil {
                blocks.append(.notice(Notice(status: .warning, text: .phrase(NotificationURLPhrases.faults))))
            }
        }
        return Page(
            .phrase(NotificationURLPhrases.title), .notifications,
            trail: [Link(.phrase(Words.notifications), request.path("notifications"))],
            status: state.status, blocks)
    }

    private static func form(_ settings: NotificationSettings?, _ request: PageRequest, _ state: FormState) -> Form {
        let bundleID = request.app?.bundleID.rawValue ?? ""
        let version =
            Int64(state.value("version")).flatMap(NotificationSettings.Version.init(rawValue:))
            ?? settings?.version ?? .two
        let kind = request.environment.kind
        func delays(_ retries: NotificationSettings.Retries) -> Text {
            let schedule = NotificationSettings(url: "", version: version, retries: retries).retrySchedule(kind)
            guard !schedule.isEmpty else { return .phrase(NotificationURLPhrases.noRetries) }
            return .phrase(
                NotificationURLPhrases.retryHours, .list(schedule.map { .number($0 / Int64.hours(1)) }))
        }
        return state.form(
            request.path("notification-url"), submit: Words.save,
            same: request.sameHere(
                "notifications receiver set https://example.com/app-store", namesApp: true,
                .init("PUT", "control/v1/apps/\(bundleID)/notifications", #"{"url": "…", "version": 2}"#)),
            [
                state.field(
                    "url", NotificationURLPhrases.url, .text, settings?.url ?? "",
                    hint: .phrase(NotificationURLPhrases.urlHint), isRequired: true, maximumLength: 2_000),
                state.field(
                    "version", NotificationURLPhrases.version,
                    .choice([
                        .init("2", .phrase(NotificationURLPhrases.version2)),
                        .init("1", .phrase(NotificationURLPhrases.version1)),
                    ]), "\((settings?.version ?? .two).rawValue)"),
                state.field(
                    "retries", NotificationURLPhrases.retries,
                    .choice(NotificationSettings.Retries.allCases.map { .init($0.rawValue, delays($0)) }),
                    (settings?.retries ?? .appStore).rawValue),
            ])
    }

    private static func save(_ form: FormRequest) async throws -> FormAnswer {
        let bundleID = try form.page.bundleID()
        return try await form.perform(again: { try await page($0, $1) }) {
            var settings = NotificationSettings(
                url: form.values["url"], version: try form.values.chosen("version"),
                retries: try form.values.chosen("retries"))
            if let known = try? await form.page.store.notifications.settings(of: bundleID) {
                settings.timeout = known.timeout
            }
            do {
                try await form.page.store.notifications.redirect(settings, of: bundleID)
            } catch let error as NotificationError where error.code == .malformedURL {
                throw Refusal("url", NotificationURLPhrases.urlWrong)
            }
            return .redirect(form.page.path("notification-url"), .phrase(NotificationURLPhrases.saved))
        }
    }

    private static func remove(_ form: FormRequest) async throws -> FormAnswer {
        try await form.page.store.notifications.disable(for: try form.page.bundleID())
        return .redirect(form.page.path("notification-url"), .phrase(NotificationURLPhrases.stopped))
    }

    // MARK: - Testing

    private static func test(_ form: FormRequest) async throws -> FormAnswer {
        let uuid = try await form.page.store.notifications.requestTest(of: try form.page.bundleID())
        return .redirect(form.page.path("notification-url", ["test": uuid]))
    }

    /// The receiver's answer to a test. Waits for it some seconds: it is sent at once.
    private static func result(
        of uuid: String, _ settings: NotificationSettings?, _ request: PageRequest
    ) async throws -> [Block] {
        let bundleID = try request.bundleID()
        var found = try await request.store.notifications.notification(uuid, of: bundleID)
        for _ in 0..<waits where found.record.attempts.isEmpty && found.record.nextAttempt != nil {
            try await Task.sleep(for: pause)
            found = try await request.store.notifications.notification(uuid, of: bundleID)
        }
        let links = [Link(.phrase(NotificationURLPhrases.showNotification), request.path("notifications/\(uuid)"))]
        guard let attempt = found.record.attempts.last else {
            return [
                .notice(
                    Notice(
                        status: .warning, text: .phrase(NotificationURLPhrases.noAnswerYet),
                        advice: .phrase(NotificationURLPhrases.noAnswerAdvice), links: links))
            ]
        }
        let isGood = attempt.result == SendAttemptResult.success.rawValue
        let answer = attempt.httpStatus.map { "HTTP \($0)" } ?? attempt.result
        return [
            .notice(
                Notice(
                    status: isGood ? .good : .bad,
                    text: .phrase(
                        isGood ? NotificationURLPhrases.delivered : NotificationURLPhrases.notDelivered, .data(answer)),
                    advice: isGood
                        ? nil : .phrase(NotificationURLPhrases.notDeliveredAdvice, .data(settings?.url ?? "")),
                    links: links))
        ] + (attempt.response.map { [NotificationBlocks.sample($0, withBody: request.allows(.support))] } ?? [])
    }
}

/// The words of the page about the URL of notifications.
enum NotificationURLPhrases {
    static let title = Phrase(
        "App Store Server Notifications", fr: "Notifications serveur App Store",
        pt: "Notificações do servidor da App Store",
        zh: "App Store 伺服器通知", de: "Servermitteilungen des App Store")
    static let productionURL = Phrase(
        "Production Server URL", fr: "URL du serveur de production", pt: "URL do servidor de produção",
        zh: "正式環境伺服器 URL",
        de: "Produktionsserver-URL")
    static let sandboxURL = Phrase(
        "Sandbox Server URL", fr: "URL du serveur sandbox", pt: "URL do servidor de sandbox", zh: "Sandbox 伺服器 URL",
        de: "Sandbox-Server-URL")
    static let url = Phrase("URL", fr: "URL", pt: "URL", zh: "URL", de: "URL")
    static let urlHint = Phrase(
        "http or https. The next event is sent there.", fr: "http ou https. L’événement suivant y est envoyé.",
        pt: "http ou https. O próximo evento é enviado para lá.", zh: "http 或 https。下一個事件會傳送至此。",
        de: "http oder https. Das nächste Ereignis geht dorthin.")
    static let urlWrong = Phrase(
        "A URL with http or https and a host, such as https://example.com/app-store.",
        fr: "Une URL http ou https avec un hôte, par exemple https://example.com/app-store.",
        pt: "Um URL http ou https com um host, por exemplo https://example.com/app-store.",
        zh: "需為含主機的 http 或 https URL，例如 https://example.com/app-store。",
        de: "Eine URL mit http oder https und einem Host, etwa https://example.com/app-store.")
    static let version = Phrase("Version", fr: "Version", pt: "Versão", zh: "版本", de: "Version")
    static let version2 = Phrase(
        "Version 2, signed", fr: "Version 2, signée", pt: "Versão 2, assinada", zh: "第 2 版，已簽署",
        de: "Version 2, signiert")
    static let version1 = Phrase(
        "Version 1, deprecated", fr: "Version 1, obsolète", pt: "Versão 1, obsoleta", zh: "第 1 版，已淘汰",
        de: "Version 1, veraltet")
    static let retries = Phrase(
        "Retries", fr: "Nouvelles tentatives", pt: "Novas tentativas", zh: "重試", de: "Wiederholungen")
    static let noRetries = Phrase(
        "No retries", fr: "Aucune nouvelle tentative", pt: "Sem novas tentativas", zh: "不重試", de: "Keine Wiederholungen"
    )
    static let retryHours = Phrase(
        "After %1 hours", fr: "Après %1 heures", pt: "Após %1 horas", zh: "%1 小時後", de: "Nach %1 Stunden")
    static let saved = Phrase(
        "The URL is saved. Send a test to see that the receiver answers.",
        fr: "L’URL est enregistrée. Envoyez un test pour voir si le récepteur répond.",
        pt: "O URL foi salvo. Envie um teste para ver se o receptor responde.", zh: "已儲存 URL。請傳送測試以確認接收端有回應。",
        de: "Die URL ist gesichert. Ein Test zeigt, ob der Empfänger antwortet.")
    static let sendTest = Phrase(
        "Send a test notification", fr: "Envoyer une notification de test", pt: "Enviar uma notificação de teste",
        zh: "傳送測試通知",
        de: "Testmitteilung senden")
    static let stop = Phrase(
        "Stop notifications", fr: "Arrêter les notifications", pt: "Parar as notificações", zh: "停止通知",
        de: "Mitteilungen beenden")
    static let stopped = Phrase(
        "Notifications are no longer sent. Pending ones were cancelled.",
        fr: "Les notifications ne sont plus envoyées. Celles en attente ont été annulées.",
        pt: "As notificações não são mais enviadas. As pendentes foram canceladas.", zh: "已停止傳送通知。待傳送的通知已取消。",
        de: "Mitteilungen werden nicht mehr gesendet. Ausstehende wurden verworfen.")
    static let faults = Phrase(
        "Faults are injected into these notifications on purpose.",
        fr: "Des pannes sont injectées volontairement dans ces notifications.",
        pt: "Falhas são injetadas de propósito nestas notificações.", zh: "已刻意對這些通知注入故障。",
        de: "In diese Mitteilungen werden absichtlich Fehler eingebaut.")
    static let delivered = Phrase(
        "The test arrived: %1.", fr: "Le test est arrivé : %1.", pt: "O teste chegou: %1.", zh: "測試已送達：%1。",
        de: "Der Test kam an: %1.")
    static let notDelivered = Phrase(
        "The test didn’t arrive: %1.", fr: "Le test n’est pas arrivé : %1.", pt: "O teste não chegou: %1.",
        zh: "測試未送達：%1。", de: "Der Test kam nicht an: %1.")
    static let notDeliveredAdvice = Phrase(
        "Check that %1 is reachable from this server and answers with a status from 200 to 206.",
        fr: "Vérifiez que %1 est joignable depuis ce serveur et répond par un état de 200 à 206.",
        pt: "Verifique se %1 é acessível a partir deste servidor e responde com status de 200 a 206.",
        zh: "請確認此伺服器可連線至 %1，且其回應狀態為 200 至 206。",
        de: "Prüfen, ob %1 von diesem Server erreichbar ist und mit einem Status von 200 bis 206 antwortet.")
    static let noAnswerYet = Phrase(
        "The test waits for an answer.", fr: "Le test attend une réponse.", pt: "O teste aguarda uma resposta.",
        zh: "測試正在等待回應。", de: "Der Test wartet auf eine Antwort.")
    static let noAnswerAdvice = Phrase(
        "Reload the page. Without an answer, look at the server’s log.",
        fr: "Rechargez la page. Sans réponse, consultez le journal du serveur.",
        pt: "Recarregue a página. Sem resposta, veja o registro do servidor.", zh: "請重新載入頁面。若無回應，請查看伺服器記錄。",
        de: "Die Seite neu laden. Ohne Antwort das Protokoll des Servers ansehen.")
    static let showNotification = Phrase(
        "Show the notification", fr: "Afficher la notification", pt: "Mostrar a notificação", zh: "顯示通知",
        de: "Mitteilung zeigen")
}
