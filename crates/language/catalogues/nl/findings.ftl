### What findings say, by the key of the English text: in the placeholders stand figures and names.

said-2545fa86 = ; tot { $amount } valt binnen de resolutie van de bron ({ $source }).
said-3cbb96d5 = { $discarded } werden tijdens de meting vrijgegeven (discard), { $share } van wat ze verplaatste.
said-561183ac = de hypervisor nam { $steal } van de processortijd voor anderen.
said-acfdfbe2 = de hypervisor nam mogelijk { $steal } van de processortijd voor anderen; in zo’n korte meting wordt die in stappen van { $tick } geteld.
