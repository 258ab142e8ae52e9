/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.loop;

import com.example.loopdv.LoopOpenAttr;
import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.NodeType;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.TransportType;
import io.verbs4j.spi.VerbsProvider;
import java.util.List;

/** What the library finds: says who it is, lists its one device, and opens it. */
public final class LoopProvider implements VerbsProvider {
    /** The same instance for ever: the library knows devices by instance. */
    private static final Device DEVICE = new LoopDevice();

    private static final class LoopDevice extends Device {
        LoopDevice() {
            super("loop0", 0x0200_00ff_fe00_0001L, NodeType.CA, TransportType.IB, DeviceKind.EMBEDDED);
        }
    }

    @Override
    public String name() {
        return "loop";
    }

    @Override
    public int level() {
        return 1; // a literal: a newer header does not teach this source anything
    }

    @Override
    public int minimumLibraryLevel() {
        return 1;
    }

    @Override
    public List<Device> devices() {
        return List.of(DEVICE);
    }

    /** What the program opens it with is here; what of that is not accepted, the library refuses. */
    @Override
    public ContextOps openDevice(Device device, Context context) {
        int maxQpWr = LoopContext.MAX_WR;
        if (context.openAttr().vendor() instanceof LoopOpenAttr attr) {
            maxQpWr = attr.maxQpWr();
            context.acceptOpenAttr(OpenAttrMask.VENDOR, 0);
        }
        return new LoopContext(context, maxQpWr);
    }
}
