/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa;

import io.verbs4j.Context;
import io.verbs4j.rdmacore.DataPath;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.NativeProvider;
import io.verbs4j.rdmacore.quirk.Driver;

/** The provider of EFA devices, based on libefa. */
public final class EfaProvider extends NativeProvider {
    /** Creates the provider; for {@link java.util.ServiceLoader}. */
    public EfaProvider() {}

    @Override
    public String name() {
        return "efa";
    }

    @Override
    public boolean takes(NativeDevice device) {
        return device.kernel.driver() == Driver.EFA;
    }

    @Override
    protected NativeContext context(NativeDevice device, Context context) {
        return EfaContext.of(device, context, DataPath.ofProperties(name()));
    }
}
