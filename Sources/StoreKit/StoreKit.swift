#if os(Linux)
    // With Foundation and FoundationNetworking, which OpenStoreKit exports; see its Exports.swift.
    @_exported public import OpenStoreKit
#endif
