/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** The programs that the tests of {@code io.verbs4j.rdmacore.fake} run with a library that stands in for libibverbs. */
package io.verbs4j.rdmacore.fake.programs;
