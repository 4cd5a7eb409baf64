#if !canImport(Darwin)
    import Foundation

    extension NSMutableDictionary {
        /// Sets the value of a key, or removes the key for `nil`, as on Apple's platforms.
        ///
        /// Source: Apple, Foundation documentation, "setValue(_:forKey:)" of NSMutableDictionary.
        public func setValue(_ value: Any?, forKey key: String) {
            if let value { setObject(value, forKey: key as NSString) } else { removeObject(forKey: key as NSString) }
        }
    }
#endif
