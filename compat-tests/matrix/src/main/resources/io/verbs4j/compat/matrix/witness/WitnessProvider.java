/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.Context;
import io.verbs4j.ContextOps;
import io.verbs4j.Device;
import io.verbs4j.NodeType;
import io.verbs4j.TransportType;
import io.verbs4j.spi.VerbsProvider;
import java.util.List;

/**
 * A device that connects queue pairs of one process, and remembers every attribute that it was given. It gives more
 * than it was asked for, and answers questions with values that tell which is which.
 */
public class WitnessProvider implements VerbsProvider {
    private static final Device DEVICE = new Device("witness0", 0x71, NodeType.CA, TransportType.IB) {};

    @Override
    public String name() {
        return "witness";
    }

    @Override
    public int level() {
        return 1; // level
    }

    @Override
    public int minimumLibraryLevel() {
        return 1; // minimum
    }

    @Override
    public List<? extends Device> devices() {
        return List.of(DEVICE);
    }

    @Override
    public ContextOps openDevice(Device device, Context context) {
        context.acceptOpenAttr(1L << 5, 0);
        return new WitnessOps(context, new Loop());
    }
}
