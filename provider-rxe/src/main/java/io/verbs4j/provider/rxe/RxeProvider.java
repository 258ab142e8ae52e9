/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.MemoryAccess;
import io.verbs4j.provider.rxe.link.Links;
import io.verbs4j.provider.rxe.port.RxeConfig;
import io.verbs4j.spi.ExtendedProvider;
import java.util.ArrayList;
import java.util.List;

/**
 * The provider of Soft-RoCE devices: first those of the kernel's rdma_rxe, then the embedded ones. The library puts
 * this provider last, so an embedded device is the last in the list on every machine.
 */
public final class RxeProvider implements ExtendedProvider {
    /**
     * Property: if {@code true}, the warning about slow links is logged when devices are listed, not only when a link
     * opens.
     */
    private static final String CHECK = "io.verbs4j.rxe.check";

    /** One list per class loader: an address can be bound only once, however often a program loads providers. */
    private static List<RxeDevice> embedded;

    /**
     * The kernel's devices, or null without the module for them. Declared by an interface of the header: a type of that
     * module would keep this class from loading without it.
     */
    private final ExtendedProvider kernel = kernelDevices();

    /** For {@link java.util.ServiceLoader}. */
    public RxeProvider() {}

    private static ExtendedProvider kernelDevices() {
        try {
            return new KernelDevices();
        } catch (LinkageError e) {
            return null; // without verbs-rdma-core, only embedded devices exist
        }
    }

    @Override
    public String name() {
        return "rxe";
    }

    @Override
    public int level() {
        return 4; // a literal: the level that this source was written for
    }

    @Override
    public int minimumLibraryLevel() {
        return 1;
    }

    @Override
    public List<? extends Device> devices() {
        List<Device> all = new ArrayList<>();
        if (kernel != null) {
            try {
                all.addAll(kernel.devices());
            } catch (VerbsException e) {
                // libibverbs cannot be loaded: the generic provider reports it, and the embedded devices keep working
            }
        }
        all.addAll(embeddedDevices());
        return all;
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
        String problem = MemoryAccess.problem("the device");
        if (problem != null) {
            throw new VerbsException(Errno.EOPNOTSUPP, "get_device_list", problem);
        }
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        if (device instanceof RxeDevice rxe) {
            return new RxeContext(rxe.port, device, context);
        }
        if (kernel != null) {
            return kernel.openDevice(device, context);
        }
        throw new VerbsException(Errno.ENODEV, "open_device", device + " is not a Soft-RoCE device");
    }

    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        if (opened instanceof RxeContext rxe) {
            rxe.fill(table);
        } else {
            kernel.initContext(opened, table);
        }
    }
}
