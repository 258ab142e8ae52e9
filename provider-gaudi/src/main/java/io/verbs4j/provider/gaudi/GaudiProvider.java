/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.gaudi;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.provider.gaudi.dv.Libhbl;
import io.verbs4j.rdmacore.KernelDevice;
import io.verbs4j.rdmacore.NativeContext;
import io.verbs4j.rdmacore.NativeDevice;
import io.verbs4j.rdmacore.NativeProvider;
import io.verbs4j.rdmacore.quirk.Driver;
import java.util.List;

/** The provider of Gaudi's NICs, based on libhbl. */
public final class GaudiProvider extends NativeProvider {
    /** Creates the provider; for {@link java.util.ServiceLoader}. */
    public GaudiProvider() {}

    @Override
    public String name() {
        return "gaudi";
    }

    @Override
    public boolean takes(NativeDevice device) {
        return device.kernel.driver() == Driver.GAUDI;
    }

    @Override
    public List<? extends Device> devices() {
        if (KernelDevice.isThere(Driver.GAUDI)) {
            Libhbl.require("get_device_list"); // libibverbs may not have found it
        }
        return super.devices();
    }

    @Override
    protected NativeContext context(NativeDevice device, Context context) {
        return GaudiContext.open(device, context);
    }
}
