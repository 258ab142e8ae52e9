/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore;

/**
 * Claims devices for a vendor's provider, so that the generic provider leaves them alone. Registered through
 * {@link java.util.ServiceLoader} beside the provider; the claim lasts as long as the provider's jar is present.
 */
public interface NativeClaim {

    /** {@return whether the provider drives the device} Must not open it. */
    boolean takes(NativeDevice device);
}
