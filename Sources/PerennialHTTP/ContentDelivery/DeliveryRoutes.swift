import AppStoreFormats
import HTTPTypes
import Hummingbird
import Logging
import Perennial
import PerennialDelivery

/// delivery/v1: a device's requests to the seller's content server (docs/reference/delivery.md).
package struct DeliveryRoutes: Sendable {
    /// Largest body of a grant, in bytes: a receipt of 3 MiB in base64, and the JSON around it.
    static let maximumGrantBody = Delivery.maximumReceiptSize + (4 << 10)
    /// Largest body of a sign-in, in bytes.
    static let maximumSessionBody = 16 << 10
    /// Largest body of a notification, in bytes: a JWS, and the JSON around it.
    static let maximumNotificationBody = JWSVerifier.maximumSize + (4 << 10)

    package let delivery: Delivery
    private let operatorToken: String?

    /// - Parameter operatorToken: Opens the reminders to the seller's own programs; without it there are none.
    package init(delivery: Delivery, operatorToken: String? = nil) {
        self.delivery = delivery
        self.operatorToken = operatorToken
    }

    /// Makes the router of a content server by itself: its routes, `health`, and the errors of every server of ours.
    package func makeRouter() -> Router<BasicConnectionContext> {
        let router = Router(context: BasicConnectionContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: UnreadBodyMiddleware())
        router.add(middleware: ErrorMiddleware(answersAppleProtocols: false, observer: .logging))
        router.add(middleware: DeadlineMiddleware())
        router.get("health") { _, _ in JSONResponse.bytes(Array(#"{"status":"ok"}"#.utf8)) }
        add(to: router)
        router.add(middleware: UnknownPathMiddleware(knowing: router.routes))
        return router
    }

    /// Adds the routes below `delivery/v1`.
    package func add(to router: some RouterMethods<BasicConnectionContext>) { add(to: router, operations: nil) }

    func add(to router: some RouterMethods<BasicConnectionContext>, operations: OperationList?) {
        let prefix = "delivery/v1"
        let translated = router.group().add(middleware: DeliveryErrorMiddleware())
        if let operatorToken {
            ReminderRoutes(delivery: delivery).add(
                to: RouteGroup(
                    translated, prefix, for: ContentOperatorMiddleware(token: SharedToken(operatorToken)),
                    .operatorToken, operations: operations, isGlobal: true))
        }
        addOpen(to: RouteGroup(translated, prefix, operations: operations, isGlobal: true))
        let customers = RouteGroup(
            translated, prefix, for: ContentCustomerMiddleware(), .deliveryToken, operations: operations,
            isGlobal: true)
        customers.get("terms", "A customer's non-renewing subscriptions", use: terms)
        let bearers = RouteGroup(
            translated, prefix, for: GrantMiddleware(delivery: delivery), .grant, operations: operations,
            isGlobal: true)
        bearers.get(
            "content/:contentId", "A file, or a range of it",
            answers: [.bytes("application/octet-stream"), .bytes("application/octet-stream", status: 206, "A range")]
                + Self.conditions, errors: [403], use: content)
        bearers.head(
            "content/:contentId", "The headers of a file", answers: [.empty(200)] + Self.conditions, errors: [403],
            use: content)
    }

    private static let unchanged = [AnswerDescription.empty(304, "The client has it")]
    private static let conditions =
        unchanged + [.empty(412, "The file is another one by now"), .empty(416, "The file has no such range")]

    private func addOpen(to open: RouteGroup<BasicConnectionContext>) {
        open.get(
            "apps/:bundleId/products", "The master list of products",
            answers: [.json(ProductListBody.self)] + Self.unchanged, use: products)
        open.post(
            "customers/session", "Sign in with the seller", errors: [401, 404, 429],
            maximumBodyLength: Self.maximumSessionBody, use: openSession)
        open.post(
            "grants", "Verify a receipt, and open the content it pays for", errors: [401, 403, 404],
            maximumBodyLength: Self.maximumGrantBody, use: grant)
        open.post(
            "notifications", "Tell of a refund, as the App Store's server notifications do", errors: [403, 404],
            maximumBodyLength: Self.maximumNotificationBody, use: receive)
    }

    private func products(_ call: Call<NoBody>, _ context: BasicConnectionContext) async throws -> Response {
        let bundleID = App.BundleID(rawValue: try context.parameters.require("bundleId"))
        let list = try await delivery.productList(of: bundleID)
        let headers: HTTPFields = [.eTag: list.entityTag, .cacheControl: "max-age=300"]
        if let condition = call.request.headers[.ifNoneMatch], EntityTags(condition).match(weakly: list.entityTag) {
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        }
        var response = JSONResponse.bytes(list.json)
        for header in headers { response.headers[header.name] = header.value }
        return response
    }

    private func openSession(
        _ call: Call<SessionBody>, _ context: BasicConnectionContext
    ) async throws -> SessionAnswer {
        let body = try await call.body()
        let address = context.clientAddress
        return SessionAnswer(
            token: try await context.untilHangUp {
                try await delivery.openSession(
                    customer: body.customer, password: body.password,
                    bundleID: App.BundleID(rawValue: body.bundleId), from: address)
            })
    }

    private func grant(_ call: Call<GrantBody>, _ context: BasicConnectionContext) async throws -> GrantAnswer {
        let body = try await call.body()
        return GrantAnswer(
            try await delivery.grant(
                receipt: body.receipt, bundleID: App.BundleID(rawValue: body.bundleId), device: try body.device,
                customerToken: call.request.bearer))
    }

    private func receive(
        _ call: Call<NotificationBody>, _ context: BasicConnectionContext
    ) async throws -> NotificationAnswer {
        NotificationAnswer(noted: try await delivery.receive(notification: try await call.body().signedPayload))
    }

    private func terms(_ call: Call<NoBody>, _ context: ContentCustomerContext) async throws -> TermsAnswer {
        TermsAnswer(try await delivery.terms(customerToken: context.caller.token))
    }

    private func content(_ call: Call<NoBody>, _ context: GrantContext) async throws -> Response {
        let authorized = context.caller.content
        let plan = ContentResponse.decide(
            ContentRequest(call.request), for: authorized.file.metadata, filename: authorized.content.filename)
        guard !plan.body.isEmpty else { return Response(plan, body: ResponseBody()) }
        let record = try await delivery.beginDelivery(of: authorized, bytes: plan.body)
        let logger = context.logger
        let body = ContentBody(file: authorized.file, bytes: plan.body, barrier: WriteBackpressure(context)) {
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
