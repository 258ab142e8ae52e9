/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

/**
 * Tells which devices a provider of its own drives, so that the generic provider leaves them alone. Registered through {@link
 * java.util.ServiceLoader}, beside the provider; it holds while the provider's jar is there.
 */
public interface NativeClaim {

    /** Whether the device has that provider. Must not open it. */
    boolean takes(NativeDevice device);
}
