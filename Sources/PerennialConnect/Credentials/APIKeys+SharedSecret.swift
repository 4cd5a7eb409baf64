import BaseEncoding
import Perennial
import PerennialStorage

extension APIKeys {
    private static let sharedSecretBytes = 16

    /// Returns an app's shared secret; `nil` if it was revoked.
    package func sharedSecret(of bundleID: App.BundleID) async throws -> String? {
        try await database.read { connection in
            let secret = try Self.app(bundleID, on: connection).sharedSecret
            return secret.isEmpty ? nil : secret
        }
    }

    /// Creates a shared secret, which replaces the earlier one.
    package func makeSharedSecret(of bundleID: App.BundleID) async throws -> String {
        let secret = Hexadecimal.encode(randomBytes(Self.sharedSecretBytes))
        try await setSharedSecret(secret, of: bundleID)
        return secret
    }

    /// Revokes the app's shared secret until a new one is created. A catalog that has one restores it at the next
    /// start.
    package func revokeSharedSecret(of bundleID: App.BundleID) async throws {
        try await setSharedSecret("", of: bundleID)
    }

    private func setSharedSecret(_ secret: String, of bundleID: App.BundleID) async throws {
        try await database.write { connection in
            let revision = try CatalogHeadTable.raise(on: connection)
            var app = try Self.app(bundleID, on: connection)
            app.sharedSecret = secret
            app.revision = revision
            try AppsTable.upsert(app, on: connection)
        }
    }
}
