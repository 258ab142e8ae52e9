/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs for the guest that each test one feature of the kernel's device. */
package io.verbs4j.compat.guest.programs;
