/// The three certificates that signed data of the App Store carries, in DER.
public struct CertificateChain: Sendable, Equatable {
    /// The certificate of the key that signs.
    public let leaf: [UInt8]
    /// The certificate of the key that signed the leaf.
    public let intermediate: [UInt8]
    /// The certificate that verifiers pin.
    public let root: [UInt8]

    /// Takes three DER encodings as they are.
    public init(leaf: [UInt8], intermediate: [UInt8], root: [UInt8]) {
        self.leaf = leaf
        self.intermediate = intermediate
        self.root = root
    }

    /// Leaf, intermediate and root: the order on the wire.
    public var certificates: [[UInt8]] { [leaf, intermediate, root] }
}
