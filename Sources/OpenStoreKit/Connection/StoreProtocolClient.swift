import BaseEncoding
import Foundation
import HTTPTypes
import Synchronization

/// Client of the store/v1 protocol: signs in when needed, sends requests, and throws the store's errors as ``StoreFailure``.
actor StoreProtocolClient {
    private let baseURL: URL
    private let registration: DeviceRegistration
    nonisolated let http: RequestRetrier
    private var signingIn: Task<StoreSession, any Error>?

    /// Session of the last sign-in.
    nonisolated let sessionBox = Mutex<StoreSession?>(nil)
    nonisolated var session: StoreSession? { sessionBox.withLock { $0 } }

    /// The customer's storefront, also after the end of a session.
    nonisolated let storefrontWatch = StorefrontWatch()
    /// Last known storefront of the customer.
    nonisolated var storefront: StoreSession.Storefront? { storefrontWatch.storefront }

    init(baseURL: URL, registration: DeviceRegistration, http: RequestRetrier) {
        self.baseURL = baseURL
        self.registration = registration
        self.http = http
    }

    // MARK: Requests of the protocol

    func products(_ query: ProductsQuery) async throws -> ProductsAnswer {
        try await call(.post, "store/v1/products", query)
    }

    func purchase(_ order: PurchaseOrder) async throws -> PurchaseAnswer {
        try await call(.post, "store/v1/purchases", order)
    }

    /// Returns the outcome of a payment by its idempotency key.
    func outcome(ofPurchase key: String) async throws -> PurchaseAnswer {
        try await call(.get, "store/v1/purchases/\(URL.escaped(key))")
    }

    /// Returns transactions refunded or revoked since the revision of an earlier answer.
    func revoked(after revision: String?) async throws -> TransactionsAnswer {
        let query = revision.map { "?after=\(URL.escaped($0))" } ?? ""
        return try await call(.get, "store/v1/transactions/revoked\(query)")
    }

    func redeem(_ order: CodeOrder) async throws {
        let _: PurchaseAnswer = try await call(.post, "store/v1/redemptions", order)
    }

    func unfinished() async throws -> TransactionsAnswer {
        try await call(.get, "store/v1/transactions/unfinished")
    }

    func finish(_ transactionID: String) async throws {
        _ = try await send(.post, "store/v1/transactions/\(URL.escaped(transactionID))/finish", body: nil)
    }

    func transactionReceipt(_ transactionID: String) async throws -> Data {
        let answer: TransactionReceiptAnswer = try await call(
            .get, "store/v1/transactions/\(URL.escaped(transactionID))/receipt")
        return answer.transactionReceipt
    }

    func restore(_ query: RestoreQuery) async throws -> [StoreTransaction] {
        let answer: TransactionsAnswer = try await call(.post, "store/v1/restore", query)
        return answer.transactions
    }

    func appReceipt() async throws -> Data {
        let answer: AppReceiptAnswer = try await call(.get, "store/v1/receipt")
        return answer.appReceipt
    }

    /// Fetches the customer's storefront.
    func refreshStorefront() async throws {
        // First, because the answer to a sign-in has the storefront as well.
        _ = try await signedIn()
        let request = storefrontWatch.beginRequest()
        let storefront: StoreSession.Storefront = try await call(.get, "store/v1/storefront")
        sessionBox.withLock { $0?.storefront = storefront }
        storefrontWatch.receive(storefront, of: request)
    }

    func uninstall() async throws {
        _ = try await send(.delete, "store/v1/devices/current", body: nil)
        sessionBox.withLock { $0 = nil }
    }

    // MARK: Sending

    func call<Answer: Decodable>(_ method: HTTPRequest.Method, _ path: String) async throws -> Answer {
        try decoded(try await send(method, path, body: nil))
    }

    func call<Answer: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, _ body: some Encodable
    ) async throws -> Answer {
        try decoded(try await send(method, path, body: try encoded(body)))
    }

    /// Sends a request with the session's token. Signs in again once if the store doesn't know the token.
    func send(_ method: HTTPRequest.Method, _ path: String, body: Data?) async throws -> HTTPAnswer {
        let first = try await signedIn()
        let answer = try await send(method, path, body: body, token: first.token)
        guard answer.status == 401 else { return try accepted(answer) }
        sessionBox.withLock { session in
            if session?.token == first.token { session = nil }
        }
        let second = try await signedIn()
        return try accepted(try await send(method, path, body: body, token: second.token))
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, body: Data?, token: String?) async throws
        -> HTTPAnswer
    {
        var headers = HTTPFields()
        if let token { headers[.authorization] = "Bearer \(token)" }
        if body != nil { headers[.contentType] = "application/json" }
        headers[.accept] = "application/json"
        do {
            return try await http.send(HTTPCall(method, baseURL.endpoint(path), headers: headers, body: body))
        } catch let error as TransportError {
            throw StoreFailure(noAnswer: error)
        }
    }

    /// Returns the session. Concurrent requests share one sign-in.
    private func signedIn() async throws -> StoreSession {
        if let session { return session }
        if let signingIn { return try await signingIn.value }
        let task = Task { try await signIn() }
        signingIn = task
        defer { signingIn = nil }
        return try await task.value
    }

    private func signIn() async throws -> StoreSession {
        let body = try encoded(registration)
        let request = storefrontWatch.beginRequest()
        let session: StoreSession = try decoded(
            try accepted(try await send(.post, "store/v1/devices", body: body, token: nil)))
        sessionBox.withLock { $0 = session }
        storefrontWatch.receive(session.storefront, of: request)
        return session
    }

    private func accepted(_ answer: HTTPAnswer) throws -> HTTPAnswer {
        guard (200..<300).contains(answer.status) else { throw StoreFailure(answer) }
        return answer
    }

    private func encoded(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    private func decoded<Answer: Decodable>(_ answer: HTTPAnswer) throws -> Answer {
        do {
            return try JSONDecoder().decode(Answer.self, from: answer.body)
        } catch {
            throw StoreFailure(.unknown, message: "the store's answer was not understood: \(error)", isAmbiguous: true)
        }
    }
}

extension URL {
    /// Appends a path with escaped components to this base URL.
    func endpoint(_ path: String) -> URL {
        let base = absoluteString
        return URL(string: (base.hasSuffix("/") ? base : base + "/") + path) ?? appending(path: path)
    }

    /// Escapes a path component.
    static func escaped(_ component: String) -> String {
        PercentEncoding.encode(component)
    }
}
