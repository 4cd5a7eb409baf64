import X509

extension DurableDirectory {
    /// Writes a key and its certificate.
    func write<Key>(
        _ identity: SigningIdentity<Key>, as name: String, _ step: SigningIdentities.Step
    ) throws(SigningIdentitiesError) {
        try write(Array(identity.keyPEM.utf8), as: IdentityFile.key(name), mode: 0o600)
        try interrupt(step, IdentityFile.key(name))
        try write(identity.encoding, as: IdentityFile.certificate(name), mode: 0o644)
        try interrupt(step, IdentityFile.certificate(name))
    }

    /// Reads a key and its certificate and checks that they belong together.
    /// - Parameter issuer: The certificate above it; `nil` for a root, which is its own.
    func identity<Key>(
        _ name: String, issuer: Certificate? = nil
    ) throws(SigningIdentitiesError) -> SigningIdentity<Key> {
        let keyFile = IdentityFile.key(name)
        let certificateFile = IdentityFile.certificate(name)
        let key: Key
        restrict(keyFile)
        do {
            key = try Key(pemRepresentation: String(decoding: try read(keyFile), as: UTF8.self))
        } catch let error as SigningIdentitiesError {
            throw error
        } catch {
            throw SigningIdentitiesError(
                .unreadable, file: path(keyFile), reason: "not a private key in PEM of the expected kind")
        }
        let encoding = try read(certificateFile)
        let identity: SigningIdentity<Key>
        do throws(CertificateChainError) {
            identity = try SigningIdentity(key: key, encoding: encoding)
        } catch {
            throw SigningIdentitiesError(.unreadable, file: path(certificateFile), reason: error.reason)
        }
        guard identity.keyFits else {
            throw SigningIdentitiesError(
                .keyMismatch, file: path(keyFile), reason: "it is not the key of \(certificateFile)")
        }
        let issuer = issuer ?? identity.certificate
        guard issuer.publicKey.isValidSignature(identity.certificate.signature, for: identity.certificate) else {
            throw SigningIdentitiesError(
                .brokenChain, file: path(certificateFile), reason: "it was not issued by \(issuer.subject)")
        }
        return identity
    }

    private func interrupt(_ step: SigningIdentities.Step, _ file: String) throws(SigningIdentitiesError) {
        do {
            try step(file)
        } catch {
            throw SigningIdentitiesError(.unwritable, file: path(file), reason: "\(error)")
        }
    }
}
