/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.memory.MemoryAccess;
import io.verbs4j.provider.rxe.port.RxeConfig;
import io.verbs4j.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.List;

/** The provider of embedded Soft-RoCE devices. The library puts it behind the others, and its devices are the last. */
public final class RxeProvider implements VerbsProvider {
    /** Property: {@code true} finds out when devices are listed what else is told when a link is opened. */
    private static final String CHECK = "io.verbs4j.rxe.check";

    /** One list for the class loader: an address can be had once, however often a program loads providers. */
    private static List<RxeDevice> embedded;

    /** For {@link java.util.ServiceLoader}. */
    public RxeProvider() {}

    @Override
    public String name() {
        return "rxe";
    }

    @Override
    public int level() {
        return 1; // a literal: the level that this source was written for
    }

    @Override
    public int minimumLibraryLevel() {
        return 1;
    }

    @Override
    public List<? extends Device> devices() {
        return embeddedDevices();
    }

    private static List<RxeDevice> embeddedDevices() {
        synchronized (RxeProvider.class) {
            if (embedded == null) {
                requireMemoryAccess();
                RxeConfig config = RxeConfig.fromProperties();
                if (Boolean.getBoolean(CHECK)) {
                    Links.check(config.linkOptions());
                }
                List<RxeDevice> list = new ArrayList<>();
                for (int i = 0; i < config.devices(); i++) {
                    list.add(new RxeDevice(i, config));
                }
                embedded = List.copyOf(list);
            }
            return embedded;
        }
    }

    private static void requireMemoryAccess() {
        String problem = MemoryAccess.problem();
        if (problem != null) {
            throw new VerbsException(Errno.EOPNOTSUPP, "get_device_list", problem);
        }
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        if (device instanceof RxeDevice rxe) {
            return new RxeContext(rxe.port, device, context);
        }
        throw new VerbsException(Errno.ENODEV, "open_device", device + " is not a Soft-RoCE device");
    }
}
