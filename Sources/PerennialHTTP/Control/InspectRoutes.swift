import AppStoreFormats
import BaseEncoding
import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/inspect: recognises, decodes and verifies anything that people paste.
struct InspectRoutes {
    private struct InspectBody: RequestModel {
        /// The text as it was pasted.
        var text: String?
        /// The bytes in base64, for data that isn't text.
        var bytes: String?
        /// The app that it should be of.
        var bundleId: String?
        /// The device that a receipt should be of.
        var deviceId: String?

        static let constraints: [String: Constraint] = [
            "text": .described("A receipt, signed data, a token, a certificate, a file or an ID"),
            "bytes": .pattern("^(?:[A-Za-z0-9+/]{4})*$", "Base64, instead of text"),
            "deviceId": .pattern(
                "^(?:[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5})$",
                "identifierForVendor, or a Mac's MAC address in hexadecimal digits"),
        ]
        static let rule: Constraint? = .oneOf(fields: [
            ["text": ["type": "string"], "bytes": .absent], ["bytes": ["type": "string"], "text": .absent],
        ])
    }

    /// Base64 and escapes are longer than what is inspected.
    private static let maximumBodyLength = Inspector.maximumSize / 2 * 3

    let authority: CertificateAuthority?

    func add(to routes: RouteGroup<ControlContext>) {
        routes.post(
            "inspect", "Say what pasted data is, what it contains, and which checks it passes",
            maximumBodyLength: Self.maximumBodyLength
        ) { (call: Call<InspectBody>, context) in
            let body = try await call.body()
            let request = try Self.request(body)
            return InspectionDocument(try await context.store.inspections.inspect(request, authority: authority))
        }
    }

    /// - Throws: ``APIError`` `malformedRequest`.
    private static func request(_ body: InspectBody) throws -> InspectionRequest {
        let bytes: [UInt8]
        switch (body.text, body.bytes) {
        case (let text?, nil): bytes = Array(text.utf8)
        case (nil, let encoded?):
            guard let decoded = Base64.decode(encoded) else {
                throw APIError(.badRequest, "malformedRequest", "bytes is base64", field: "bytes")
            }
            bytes = decoded
        default: throw APIError(.badRequest, "malformedRequest", "the body needs text or bytes", field: "text")
        }
        var request = InspectionRequest(bytes, bundleID: body.bundleId.map(App.BundleID.init(rawValue:)))
        if let device = body.deviceId {
            guard let identifier = InspectionRequest.deviceIdentifier(device) else {
                throw APIError(
                    .badRequest, "malformedRequest", "deviceId is a UUID or a MAC address", field: "deviceId")
            }
            request.device = identifier
        }
        return request
    }
}

extension InspectionDocument: AnswerModel {}
