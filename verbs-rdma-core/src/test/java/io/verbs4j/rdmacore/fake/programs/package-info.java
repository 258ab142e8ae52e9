/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs for the tests of {@code io.verbs4j.rdmacore.fake}, which run with a stand-in for libibverbs. */
package io.verbs4j.rdmacore.fake.programs;
