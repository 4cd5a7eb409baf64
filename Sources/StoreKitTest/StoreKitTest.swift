#if os(Linux)
    @_exported import OpenStoreKitTest
    @_exported import StoreKit
#endif
