/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.ContextTable;
import io.verbs4j.Device;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.provider.rxe.port.RxeConfig;
import io.verbs4j.spi.ExtendedProvider;
import java.util.ArrayList;
import java.util.List;

/** The provider of Soft-RoCE devices. */
public final class RxeProvider implements ExtendedProvider {
    /** One list for the JVM: an address can be had once, however often a program loads providers. */
    private static List<RxeDevice> embedded;

    /** For {@link java.util.ServiceLoader}. */
    public RxeProvider() {}

    @Override
    public String name() {
        return "rxe";
    }

    @Override
    public int level() {
        return 2; // a literal: the level that this source was written for
    }

    @Override
    public int minimumLibraryLevel() {
        return 1;
    }

    @Override
    public List<? extends Device> devices() {
        synchronized (RxeProvider.class) {
            if (embedded == null) {
                RxeConfig config = RxeConfig.fromProperties();
                List<RxeDevice> list = new ArrayList<>();
                for (int i = 0; i < config.devices(); i++) {
                    list.add(new RxeDevice(i, config));
                }
                embedded = List.copyOf(list);
            }
            return embedded;
        }
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        if (!(device instanceof RxeDevice rxe)) {
            throw new VerbsException(Errno.ENODEV, "open_device", device + " is not a Soft-RoCE device");
        }
        return new RxeContext(rxe.port(), device, context);
    }

    @Override
    public void initContext(ContextOps opened, ContextTable table) {
        ((RxeContext) opened).fill(table);
    }
}
