/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The conformance kit. An author extends it, hands it the provider, and states what the device can do:
 *
 * <pre>{@code
 * class LoopKitTest extends ProviderKit {
 *     protected VerbsProvider provider() { return new LoopProvider(); }
 *     protected int level() { return 1; }
 *     protected boolean hasRdmaWrite() { return true; }
 * }
 * }</pre>
 *
 * <p>Each test is one {@link Rule}, with a number that never changes. A rule for something that the device is not said to have is
 * skipped, and the reason says which method to override; what is stated must hold both ways (R2.12 to R2.15, R2.20). A failure
 * tells the rule, what was seen, which method of the author's to look at, and where the behaviour is described.
 *
 * <p>Rules R1 talk to the provider as a library does; all others go through the library, as applications do. The provider must
 * therefore be registered where the tests run.
 *
 * <p>Rules are added in later releases, for all devices where the contract has always said so, and with a capability of their own
 * where they are about something new.
 */
@ExtendWith(RuleExtension.class)
@DisplayNameGeneration(RuleNames.class)
@TestMethodOrder(MethodOrderer.MethodName.class)
@Timeout(60)
@SuppressWarnings("exports") // the extension and the names are the kit's own matter
public abstract class ProviderKit extends DmaRules {
    /** For the author's class. */
    protected ProviderKit() {}
}
