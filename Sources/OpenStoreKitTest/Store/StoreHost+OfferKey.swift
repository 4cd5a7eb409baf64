import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialConnect
import PerennialStorage

extension StoreHost {
    /// Registers the key of a configuration file with which an app signs its promotional offers locally.
    ///
    /// - Throws: ``SKTestError`` `.invalidURL` for a key that isn't one.
    func register(_ pair: SessionConfiguration.OfferKey, in file: String) async throws {
        guard let bytes = Base64.decode(pair.privateKey.filter { !$0.isWhitespace }),
            let key = try? P256.Signing.PrivateKey(derRepresentation: bytes), !pair.id.isEmpty
        else {
            throw SKTestError(
                .invalidURL, "\(file): subscriptionOffersKeyPair: expected an ID, and a P-256 key in PKCS#8 and base64")
        }
        let publicKey = Array(key.publicKey.x963Representation)
        let (id, app, now, issuer) = (pair.id, app.appleID, Self.now(), Self.uuid().uuidString.lowercased())
        try await database.write { connection in
            guard try APIKeysTable.key(id, on: connection) == nil else { return }
            try APIKeysTable.insert(
                APIKey(
                    id: id, app: app, kind: .promotionalOffer,
                    issuerID: try APIKeysTable.issuerID(on: connection) ?? issuer, publicKey: publicKey, created: now),
                on: connection)
        }
    }
}
