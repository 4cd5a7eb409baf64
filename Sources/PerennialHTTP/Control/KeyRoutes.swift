import Foundation
import HTTPTypes
import Hummingbird
import Perennial
import PerennialConnect

/// control/v1/apps: keys and shared secrets of an app. They are the whole store's: the same in every environment.
struct KeyRoutes {
    private struct MakeBody: Decodable { var kind: String }
    private struct KeysAnswer: Encodable { var keys: [KeyModel] }
    private struct SecretAnswer: Encodable { var sharedSecret: String? }

    private struct KeyModel: Encodable {
        var keyId: String
        var kind: String
        var issuerId: String
        var created: String
        var revoked: String?
        /// PEM; only in the answer to who makes the key.
        var privateKey: String?

        init(_ key: APIKey, privateKey: String? = nil) {
            keyId = key.id
            kind = key.kind.rawValue
            issuerId = key.issuerID
            created = key.created.rfc3339(fraction: true)
            revoked = key.revoked?.rfc3339(fraction: true)
            self.privateKey = privateKey
        }
    }

    let control: ControlRoutes
    let keys: APIKeys

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/apps/:bundleId/keys") { request, context in
            let app = try await app(request, context)
            return try await answer { KeysAnswer(keys: try await keys.all(of: app).map { KeyModel($0) }) }
        }
        router.post("control/v1/apps/:bundleId/keys") { request, context in
            let app = try await app(request, context)
            let body = try await request.controlJSON(MakeBody.self)
            let kind: APIKey.Kind = try control.parse(body.kind, field: "kind")
            return try await answer(.created) {
                let made = try await keys.make(kind, for: app)
                return KeyModel(made.key, privateKey: made.privateKey)
            }
        }
        router.delete("control/v1/apps/:bundleId/keys/:keyId") { request, context in
            let app = try await app(request, context)
            let id = context.parameters.get("keyId") ?? ""
            return try await answer { KeyModel(try await keys.revoke(id, of: app)) }
        }
        addSecrets(to: router)
    }

    private func addSecrets<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/apps/:bundleId/shared-secret") { request, context in
            let app = try await app(request, context)
            return try await answer { SecretAnswer(sharedSecret: try await keys.sharedSecret(of: app)) }
        }
        router.post("control/v1/apps/:bundleId/shared-secret") { request, context in
            let app = try await app(request, context)
            return try await answer(.created) {
                SecretAnswer(sharedSecret: try await keys.makeSharedSecret(of: app))
            }
        }
        router.delete("control/v1/apps/:bundleId/shared-secret") { request, context in
            let app = try await app(request, context)
            return try await answer {
                try await keys.revokeSharedSecret(of: app)
                return SecretAnswer()
            }
        }
    }

    private func app(_ request: Request, _ context: some RequestContext) async throws -> App.BundleID {
        _ = try await control.authorized(request, context)
        return App.BundleID(rawValue: context.parameters.get("bundleId")?.removingPercentEncoding ?? "")
    }

    private func answer(
        _ status: HTTPResponse.Status = .ok, _ make: () async throws -> some Encodable
    ) async throws -> Response {
        do {
            return try JSONResponse.make(try await make(), status: status)
        } catch let error as KeyError {
            throw APIError(.notFound, error.code.rawValue, "\(error.subject): \(error.reason)")
        }
    }
}
