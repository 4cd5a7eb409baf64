import HTTPTypes
import Hummingbird
import Perennial
import PerennialConnect

/// control/v1/apps: keys and shared secrets of an app, the same in every environment.
struct CredentialRoutes {
    private struct KeyBody: RequestModel {
        var kind: String

        static let constraints: [String: Constraint] = ["kind": .oneOf(APIKey.Kind.self)]
    }

    private struct TeamKeyBody: RequestModel {
        var roles: [String]?
        /// The user of an individual key.
        var user: String?

        static let constraints: [String: Constraint] = [
            "roles": .items(.oneOf(ConnectRole.ofKeys), count: 1...ConnectRole.ofKeys.count).and(
                .described("Of a team key")),
            "user": .text(bytes: 1...Account.maximumNameLength).and(
                .described("The ID or the email address of the user whose individual key it is, instead of roles")),
        ]
    }

    private struct KeysAnswer: AnswerModel { var keys: [KeyModel] }
    private struct SecretAnswer: AnswerModel { var sharedSecret: String? }

    private struct KeyModel: AnswerModel {
        var keyId: String
        var kind: String
        var issuerId: String
        var created: String
        var revoked: String?
        /// The roles of a key of the App Store Connect API.
        var roles: [String]?
        /// The ID of the user whose individual key it is.
        var user: String?
        /// The last use of a key of the App Store Connect API.
        var lastUsed: String?
        /// PEM; only in the answer that makes the key.
        var privateKey: String?

        static let constraints: [String: Constraint] = [
            "kind": .oneOf(APIKey.Kind.self), "created": .time, "revoked": .time, "lastUsed": .time,
            "privateKey": .described("PKCS#8 in PEM, shown this once"),
        ]

        init(_ key: APIKey, privateKey: String? = nil) {
            keyId = key.id
            kind = key.kind.rawValue
            issuerId = key.issuerID
            created = key.created.rfc3339(fraction: true)
            revoked = key.revoked?.rfc3339(fraction: true)
            roles = key.kind == .connectAPI && key.teamUser == nil ? key.roles.names : nil
            user = key.teamUser
            lastUsed = key.lastUsed?.rfc3339(fraction: true)
            self.privateKey = privateKey
        }
    }

    let keys: APIKeys

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("apps/:bundleId/keys", "An app's keys") { (call: Call<NoBody>, context) in
            try await Self.translating {
                KeysAnswer(keys: try await keys.all(of: context.bundleID).map { KeyModel($0) })
            }
        }
        routes.post("apps/:bundleId/keys", "Make a key; its private key is shown this once", .created) {
            (call: Call<KeyBody>, context) in
            let kind: APIKey.Kind = try ControlFields.value(try await call.body().kind, field: "kind")
            return try await Self.translating {
                let made = try await keys.make(kind, for: context.bundleID)
                return KeyModel(made.key, privateKey: made.privateKey)
            }
        }
        routes.delete("apps/:bundleId/keys/:keyId", "Revoke a key") { (call: Call<NoBody>, context) in
            let id = context.parameters.get("keyId") ?? ""
            return try await Self.translating { KeyModel(try await keys.revoke(id, of: context.bundleID)) }
        }
        addTeamKeys(to: routes)
        addSecrets(to: routes)
    }

    /// Keys of the App Store Connect API, which are the seller's and open all apps.
    private func addTeamKeys(to routes: RouteGroup<ControlContext>) {
        routes.get("connect-keys", "The seller's keys of the App Store Connect API") { (call: Call<NoBody>, _) in
            KeysAnswer(keys: try await keys.teamKeys().map { KeyModel($0) })
        }
        routes.post(
            "connect-keys",
            "Make a team key with roles, or a user's individual key; its private key is shown this once", .created
        ) {
            (call: Call<TeamKeyBody>, _) in
            let body = try await call.body()
            guard (body.user == nil) != (body.roles == nil) else {
                throw APIError(
                    .badRequest, "malformedRequest", "a team key has roles, an individual key a user", field: "roles")
            }
            let roles = try TeamFields.roles(body.roles ?? [], among: ConnectRole.ofKeys)
            return try await Self.translating {
                let made: APIKeys.IssuedKey
                if let user = body.user {
                    made = try await keys.makeIndividualKey(of: user)
                } else {
                    made = try await keys.makeTeamKey(roles)
                }
                return KeyModel(made.key, privateKey: made.privateKey)
            }
        }
        routes.delete("connect-keys/:keyId", "Revoke a key of the App Store Connect API") {
            (call: Call<NoBody>, context) in
            let id = context.parameters.get("keyId") ?? ""
            return try await Self.translating { KeyModel(try await keys.revokeTeamKey(id)) }
        }
    }

    private func addSecrets(to routes: RouteGroup<ControlContext>) {
        routes.get("apps/:bundleId/shared-secret", "The secret that verifyReceipt asks for") {
            (call: Call<NoBody>, context) in
            try await Self.translating {
                SecretAnswer(sharedSecret: try await keys.sharedSecret(of: context.bundleID))
            }
        }
        routes.post("apps/:bundleId/shared-secret", "Make another secret", .created) {
            (call: Call<NoBody>, context) in
            try await Self.translating {
                SecretAnswer(sharedSecret: try await keys.makeSharedSecret(of: context.bundleID))
            }
        }
        routes.delete("apps/:bundleId/shared-secret", "Revoke the secret") { (call: Call<NoBody>, context) in
            try await Self.translating {
                try await keys.revokeSharedSecret(of: context.bundleID)
                return SecretAnswer()
            }
        }
    }

    private static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as KeyError where error.code == .rolesMissing {
            throw APIError(.badRequest, "malformedRequest", error.reason, field: error.subject)
        } catch let error as KeyError {
            throw APIError(.notFound, error.code.rawValue, "\(error.subject): \(error.reason)")
        }
    }
}
