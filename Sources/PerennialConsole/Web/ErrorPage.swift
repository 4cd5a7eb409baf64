import HTTPTypes
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStorage

/// The page of an error: what happened, and what to do.
struct ErrorPage: Sendable {
    var status: Int
    var title: Text
    /// The reason, where it says more than the title.
    var reason: Text?
    var advice: Text?
    var links: [Link] = []
    /// Seconds after which it may be tried again.
    var retryAfter: String?
    /// Written to the log with the error.
    var logID: String?

    var outcome: AuditEntry.Outcome {
        switch status {
        case 401, 403: .denied
        case 500...: .failed
        default: .refused
        }
    }

    /// - Parameter makeID: Called for an unforeseen error.
    init(_ error: any Error, makeID: () -> String) {
        switch error {
        case let error as ConsoleError: self.init(error)
        // Of a form without a page of its own.
        case let refusal as Refusal: self.init(ConsoleError.badRequest(refusal.text))
        case is CancellationError:
            self.init(
                status: 503, title: .phrase(WebPhrases.unavailable), advice: .phrase(WebPhrases.unavailableAdvice),
                retryAfter: "1")
        default:
            guard let known = APIError(translating: error) else {
                self.init(unforeseen: error, id: makeID())
                return
            }
            self.init(known, reason: RefusalText.text(of: error))
        }
    }

    private init(
        status: Int, title: Text, reason: Text? = nil, advice: Text? = nil, retryAfter: String? = nil,
        logID: String? = nil
    ) {
        self.status = status
        self.title = title
        self.reason = reason
        self.advice = advice
        self.retryAfter = retryAfter
        self.logID = logID
    }

    private init(_ error: ConsoleError) {
        switch error {
        case .notFound(let text):
            self.init(
                status: 404, title: .phrase(WebPhrases.notFound), reason: text == .none ? nil : text,
                advice: .phrase(WebPhrases.notFoundAdvice))
        case .forbidden(let permission):
            self.init(
                status: 403, title: .phrase(WebPhrases.forbidden),
                advice: .phrase(WebPhrases.forbiddenAdvice, .data(permission.rawValue)))
        case .ofAllApps:
            self.init(
                status: 403, title: .phrase(WebPhrases.ofAllApps), advice: .phrase(WebPhrases.ofAllAppsAdvice))
        case .badRequest(let text):
            self.init(
                status: 400, title: .phrase(WebPhrases.badRequest), reason: text,
                advice: .phrase(WebPhrases.refusedAdvice))
        case .forged:
            self.init(status: 403, title: .phrase(WebPhrases.forged), advice: .phrase(WebPhrases.forgedAdvice))
        case .tooLarge(let maximum):
            self.init(
                status: 413, title: .phrase(WebPhrases.tooLarge),
                advice: .phrase(WebPhrases.tooLargeAdvice, .number(maximum)))
        case .appNeeded:
            self.init(status: 404, title: .phrase(WebPhrases.chooseApp))
        }
    }

    /// The error of a use case, with its reason.
    private init(_ error: APIError, reason: Text?) {
        let isMissing = error.status == .notFound
        let isBusy = error.status == .serviceUnavailable
        self.init(
            status: error.status.code,
            title: .phrase(
                isMissing ? WebPhrases.notFound : isBusy ? WebPhrases.unavailable : WebPhrases.refused),
            reason: reason,
            advice: .phrase(
                isMissing
                    ? WebPhrases.notFoundAdvice
                    : isBusy ? WebPhrases.unavailableAdvice : WebPhrases.refusedAdvice),
            retryAfter: error.headers[.retryAfter])
    }

    private init(unforeseen error: any Error, id: String) {
        let isBusy = (error as? StorageError)?.isTemporary ?? false
        self.init(
            status: isBusy ? 503 : 500, title: .phrase(isBusy ? WebPhrases.unavailable : WebPhrases.failed),
            reason: isBusy ? .phrase(WebPhrases.unavailableAdvice) : nil,
            advice: .phrase(WebPhrases.failedAdvice, .data(id)), retryAfter: isBusy ? "1" : nil, logID: id)
    }

    var blocks: [Block] {
        [.notice(Notice(status: .bad, text: reason ?? title, advice: advice, links: links))]
    }
}

// MARK: - Reasons for watchers and the log

extension ConsoleRouter {
    /// Tells watchers and the log why a page refuses a request: the answer is a page as any other, and its reason stands in it.
    ///
    /// - Parameter title: Told where no block has a reason.
    func note(status: Int, _ title: Text, _ blocks: [Block]) {
        guard status >= 400 else { return }
        RefusedPage.note(
            status: status,
            reason: TextFormatter(.english, now: services.wallClock()).string(blocks.refusal ?? title))
    }
}

extension [Block] {
    /// The first error of a form or a field, or the first bad notice; `nil` if there is none.
    fileprivate var refusal: Text? {
        for block in self {
            if let text = block.refusal { return text }
        }
        return nil
    }
}

extension Block {
    fileprivate var refusal: Text? {
        switch self {
        case .form(let form): form.error ?? form.fields.lazy.compactMap(\.error).first
        case .notice(let notice): notice.status == .bad ? notice.text : nil
        case .table(let table): table.rows.flatMap(\.details).refusal
        case .columns(let columns): columns.joined().map(\.self).refusal
        case .section(_, _, _, let blocks), .details(_, let blocks): blocks.refusal
        default: nil
        }
    }
}
