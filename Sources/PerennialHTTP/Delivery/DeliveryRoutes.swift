import HTTPTypes
import Hummingbird
import Logging
import Perennial
import PerennialDelivery
import PerennialStorage

/// delivery/v1: what a device says to the seller's content server (docs/protocols/delivery.md).
package struct DeliveryRoutes: Sendable {
    /// Largest body of a grant, in bytes: a receipt of 3 MiB in base64, and what stands around it.
    static let maximumGrantBody = Delivery.maximumReceiptSize + (4 << 10)
    /// Largest body of a sign-in, in bytes.
    static let maximumSessionBody = 16 << 10

    package let delivery: Delivery
    private let operatorToken: String?

    /// - Parameter operatorToken: Opens the reminders to the seller's own programs; without it there are none.
    package init(delivery: Delivery, operatorToken: String? = nil) {
        self.delivery = delivery
        self.operatorToken = operatorToken
    }

    /// A content server by itself: its routes, and what every server of ours answers besides.
    package func makeRouter() -> Router<BasicConnectionContext> {
        let router = Router(context: BasicConnectionContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: UnreadBodyMiddleware())
        router.add(middleware: ErrorMiddleware())
        router.get("health") { _, _ in JSONResponse.bytes(Array(#"{"status":"ok"}"#.utf8)) }
        add(to: router)
        router.add(middleware: UnknownPathMiddleware(knowing: router.routes))
        return router
    }

    /// Adds the routes below `delivery/v1`.
    package func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        if let operatorToken { ReminderRoutes(delivery: delivery, operatorToken: operatorToken).add(to: router) }
        let routes = router.group("delivery/v1")
        routes.get("apps/:bundleId/products") { request, context in
            try await answering { try await products(request, context.parameters.require("bundleId")) }
        }
        routes.post("customers/session") { request, context in
            try await answering { try await openSession(request, context) }
        }
        routes.post("grants") { request, _ in try await answering { try await grant(request) } }
        routes.post("notifications") { request, _ in
            try await answering { try await NotificationReceiver(delivery: delivery).receive(request) }
        }
        routes.get("terms") { request, _ in try await answering { try await terms(request) } }
        routes.get("content/:contentId") { request, context in
            try await answering { try await content(request, context) }
        }
        routes.head("content/:contentId") { request, context in
            try await answering { try await content(request, context) }
        }
    }

    /// Runs a use case and translates what it refuses.
    private func answering(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let error as DeliveryError {
            throw APIError(error)
        } catch let error as PasswordRefusal {
            throw APIError(error).withoutSKError
        } catch let error as APIError {
            throw error.withoutSKError
        }
    }

    private func products(_ request: Request, _ bundleID: String) async throws -> Response {
        let list = try await delivery.productList(of: App.BundleID(rawValue: bundleID))
        let headers: HTTPFields = [.eTag: list.entityTag, .cacheControl: "max-age=300"]
        let known = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
            .map { $0.drop { $0 == " " } }.map { $0.hasPrefix("W/") ? $0.dropFirst(2) : $0 }
        if known.contains(where: { $0 == list.entityTag || $0 == "*" }) {
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        }
        var response = JSONResponse.bytes(list.json)
        for header in headers { response.headers[header.name] = header.value }
        return response
    }

    private func openSession(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let body = try await request.json(SessionRequest.self, upTo: Self.maximumSessionBody)
        let address = context.clientAddress
        let token = try await context.untilHangUp {
            try await delivery.openSession(
                customer: body.customer, password: body.password, bundleID: App.BundleID(rawValue: body.bundleId),
                from: address)
        }
        return try JSONResponse.make(SessionAnswer(token: token))
    }

    private func grant(_ request: Request) async throws -> Response {
        let body = try await request.json(GrantRequest.self, upTo: Self.maximumGrantBody)
        let grant = try await delivery.grant(
            receipt: body.receipt, bundleID: App.BundleID(rawValue: body.bundleId), device: try body.device,
            customerToken: request.bearer)
        return try JSONResponse.make(GrantAnswer(grant))
    }

    private func terms(_ request: Request) async throws -> Response {
        guard let token = request.bearer else {
            throw DeliveryError(.unauthorized, "customer token", "terms belong to a customer: sign in")
        }
        return try JSONResponse.make(TermsAnswer(try await delivery.terms(customerToken: token)))
    }

    private func content(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let id = Content.ID(rawValue: try context.parameters.require("contentId"))
        let authorized = try await delivery.authorize(id, grant: request.bearer)
        let plan = ContentResponse.decide(
            ContentRequest(request), for: authorized.file.facts, filename: authorized.content.filename)
        guard !plan.body.isEmpty else { return Response(plan, body: ResponseBody()) }
        let record = try await delivery.beginDelivery(of: authorized, bytes: plan.body)
        let logger = context.logger
        let body = ContentBody(file: authorized.file, bytes: plan.body, barrier: WriteBarrier(context)) {
            bytesSent, isComplete in
            do {
                try await delivery.endDelivery(record, bytesSent: bytesSent, isComplete: isComplete)
            } catch {
                logger.error("The end of a delivery could not be recorded.", metadata: ["error": "\(error)"])
            }
        }
        return Response(plan, body: body.responseBody)
    }
}

extension Request {
    /// The token of `Authorization: Bearer TOKEN`.
    fileprivate var bearer: String? {
        guard let value = headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingPrefix { $0 == " " }.description
    }
}

extension ContentRequest {
    fileprivate init(_ request: Request) {
        self.init(
            isHead: request.method == .head, range: request.headers[.range], ifRange: request.headers[.ifRange],
            ifMatch: request.headers[.ifMatch], ifNoneMatch: request.headers[.ifNoneMatch],
            ifModifiedSince: request.headers[.ifModifiedSince], ifUnmodifiedSince: request.headers[.ifUnmodifiedSince])
    }
}

extension Response {
    fileprivate init(_ plan: ContentResponse, body: ResponseBody) {
        self.init(status: HTTPResponse.Status(code: plan.status), body: body)
        for (name, value) in plan.headers {
            guard let name = HTTPField.Name(name) else { continue }
            headers[name] = value
        }
        headers[.contentLength] = plan.contentLength.map(String.init)
    }
}
